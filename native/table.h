// The transposition table, shared by all threads of a search.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "evaluation.h"
#include "token.h"
#include "zobrist.h"

namespace cairn {

enum class Bound : std::uint8_t { None, Upper, Lower, Exact };

struct Finding {
    Score score = 0;
    int depth = 0;
    Bound bound = Bound::None;
    std::uint32_t token_code = NoCode;  // the best token

    static constexpr std::uint32_t NoCode = Token::CodeLimit - 1;
};

class Table {
  public:
    explicit Table(std::size_t megabytes) { resize(megabytes); }

    void resize(std::size_t megabytes);
    // Empties the table in constant time, whatever its size: entries from before no longer count as entries.
    void clear();
    // Changes when the table is cleared.
    std::uint32_t era() const { return era_; }
    void new_search() { generation_ = (generation_ + 1) & 31; }

    std::optional<Finding> find(Key key) const;
    void store(Key key, const Finding& finding);

    // The share of entries that the current search has written, per mille.
    int fullness() const;

  private:
    // Threads write both words without a lock. The key is stored XORed with the data, so that two words written by
    // different threads match no key.
    struct Entry {
        std::atomic<std::uint64_t> mixed_key{0}, data{0};
    };
    using Bucket = std::array<Entry, 4>;

    Bucket& bucket(Key key) const { return buckets_[std::size_t(key & mask_)]; }
    void erase();
    bool is_empty(std::uint64_t data) const;

    std::unique_ptr<Bucket[]> buckets_;
    std::uint64_t mask_ = 0;
    std::uint32_t generation_ = 0;
    std::uint32_t era_ = 0;  // the number of times that the table was cleared
};

}  // namespace cairn
