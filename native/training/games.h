// Files of self-play games: the dealt start, the tokens, and the scores from the search.
//
// A game takes some 300 bytes. A file begins with a header of 32 bytes. Games follow without gaps, so that a file can
// be extended, and the whole games of a damaged file can still be read. All numbers are little-endian.
//
//   header   "CAIRNSP" and the style ("1" or "2"), seed (8 bytes), network hash (8; 0 for the hand-made evaluation),
//            nodes (4), shard (4)
//   game     number of tokens (2), variant (1), faces and first tribe (1), result (1), tiles in dealt order (1 each),
//            tokens (3 each: code, and a bit that says whether a score of 2 bytes follows)
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "../deal.h"
#include "../evaluation.h"

namespace cairn::training {

using Bytes = std::vector<std::uint8_t>;

// How the games of a file differ from each other.
enum class Style : std::uint8_t {
    Varied = 1,  // by random tokens: training needs positions that good play avoids
    Even = 2,    // by the number of nodes of each decision only: both players play as well as they can
};
constexpr std::array<std::string_view, 2> StyleNames{"varied", "even"};

struct FileHeader {
    std::uint64_t seed = 0;
    std::uint64_t network = 0;  // the hash of the network that played; 0 for the hand-made evaluation
    std::uint32_t nodes = 0;    // for each decision
    std::uint32_t shard = 0;    // separates the games of programs that run side by side with the same seed
    Style style = Style::Varied;
    bool operator==(const FileHeader&) const = default;

    static constexpr std::size_t Size = 32;
};

struct PlayedToken {
    Token token;
    std::optional<std::int16_t> score;  // for the active player, if a search chose the token at the start of a turn
};

struct SelfPlayGame {
    Variant variant = Variant::Beginner;
    std::vector<Tile> order;  // the tiles as dealt
    int faces = 0;
    Tribe first = Forest;
    Winner winner = Winner::Nobody;  // Nobody: a draw, or a game that became too long
    std::vector<PlayedToken> tokens;

    Position start() const { return *deal(variant, order, faces, first); }
};

void write_header(const FileHeader& header, Bytes& bytes);
std::optional<FileHeader> read_header(std::span<const std::uint8_t> bytes);

void write_game(const SelfPlayGame& game, Bytes& bytes);

// Reads the games of a file, one after the other.
class GameReader {
  public:
    // `games` is the part of the file after its header.
    explicit GameReader(std::span<const std::uint8_t> games) : rest_(games), size_(games.size()) {}

    // Reads the next game. Returns false at the end of the file, and before a game that is incomplete or invalid.
    bool next(SelfPlayGame& game);

    // The size of the games read so far. A file that was cut off in the middle of a game can be truncated to this size.
    std::size_t consumed() const { return size_ - rest_.size(); }

  private:
    std::span<const std::uint8_t> rest_;
    std::size_t size_;
};

}  // namespace cairn::training
