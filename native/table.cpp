#include "table.h"

#include <bit>

namespace cairn {

namespace {

// From the lowest bit: the score (16 bits), the depth (8), the bound (2), the generation (5), the token (19) and the
// era (14).
constexpr int EraShift = 50;
constexpr std::uint32_t EraLimit = 1u << (64 - EraShift);

std::uint64_t pack(const Finding& finding, std::uint32_t generation, std::uint32_t era) {
    return std::uint64_t(std::uint16_t(finding.score)) | std::uint64_t(std::uint8_t(finding.depth)) << 16 |
           std::uint64_t(finding.bound) << 24 | std::uint64_t(generation) << 26 |
           std::uint64_t(finding.token_code) << 31 | std::uint64_t(era) << EraShift;
}

Finding unpack(std::uint64_t data) {
    return {Score(std::int16_t(data)), int(std::int8_t(data >> 16)), Bound(data >> 24 & 3),
            std::uint32_t(data >> 31) & (Token::CodeLimit - 1)};
}

constexpr std::uint32_t generation_of(std::uint64_t data) { return std::uint32_t(data >> 26 & 31); }

}  // namespace

void Table::resize(std::size_t megabytes) {
    const std::size_t wanted = megabytes * 1024 * 1024 / sizeof(Bucket);
    const std::size_t count = std::bit_floor(wanted == 0 ? std::size_t{1} : wanted);
    buckets_.reset();  // first, so that the old and the new table never need memory at the same time
    buckets_ = std::make_unique<Bucket[]>(count);
    mask_ = count - 1;
    generation_ = era_ = 0;
}

void Table::clear() {
    generation_ = 0;
    era_ = (era_ + 1) % EraLimit;
    if (era_ == 0) erase();
}

void Table::erase() {
    for (std::size_t index = 0; index <= mask_; ++index)
        for (Entry& entry : buckets_[index]) {
            entry.mixed_key.store(0, std::memory_order_relaxed);
            entry.data.store(0, std::memory_order_relaxed);
        }
}

bool Table::is_empty(std::uint64_t data) const { return data == 0 || data >> EraShift != era_; }

std::optional<Finding> Table::find(Key key) const {
    for (const Entry& entry : bucket(key)) {
        const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
        if ((entry.mixed_key.load(std::memory_order_relaxed) ^ data) == key && !is_empty(data)) return unpack(data);
    }
    return std::nullopt;
}

void Table::store(Key key, const Finding& finding) {
    // Replace the moment's own entry if there is one. Otherwise replace the least valuable entry: old entries first,
    // then entries with a small depth.
    Entry* place = nullptr;
    int least = 1 << 20;
    for (Entry& entry : bucket(key)) {
        const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
        if ((entry.mixed_key.load(std::memory_order_relaxed) ^ data) == key && !is_empty(data)) {
            place = &entry;
            break;
        }
        const int age = int((generation_ - generation_of(data)) & 31);
        const int worth = is_empty(data) ? -(1 << 20) : int(std::int8_t(data >> 16)) - 8 * age;
        if (worth < least) {
            least = worth;
            place = &entry;
        }
    }
    const std::uint64_t data = pack(finding, generation_, era_);
    place->data.store(data, std::memory_order_relaxed);
    place->mixed_key.store(key ^ data, std::memory_order_relaxed);
}

int Table::fullness() const {
    int used = 0;
    for (std::size_t index = 0; index < 250; ++index)
        for (const Entry& entry : buckets_[index & mask_]) {
            const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
            used += !is_empty(data) && generation_of(data) == generation_;
        }
    return used;
}

}  // namespace cairn
