// The floor: a small program whose speed is the bench's reference. It plays random games of 5x5 Breakthrough in a
// bitboard loop.
//
//     floor PLAYOUTS SEED
//
// plays PLAYOUTS games and prints one line of JSON: the number of games, their moves, the sum of the squared lengths,
// the first player's wins, and the CPU time. The game is OpenSpiel's `breakthrough(rows=5,columns=5)`: each player has
// one row of five pieces, which step forward, straight or diagonally, and capture only diagonally. A player wins by
// reaching the far row or by capturing every enemy piece.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

// Square (column, row) is bit 5 * row + column; a step forward is +5 for the first player, -5 for the second.
using Board = std::uint32_t;

constexpr Board kFirstRow = 0b11111;
constexpr Board kLastRow = kFirstRow << 20;
constexpr Board kField = (1u << 25) - 1;
constexpr Board kColumnA = 0b00001'00001'00001'00001'00001;
constexpr Board kColumnE = kColumnA << 4;

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    // A number in [0, bound), by multiplication. The bias of 2^-32 is too small to affect any count here.
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>((next() >> 32) * bound >> 32); }

  private:
    std::uint64_t next() {  // splitmix64
        std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        return mixed ^ (mixed >> 31);
    }

    std::uint64_t state_;
};

template <bool kFirst>
Board forward(Board squares, int distance) {
    return kFirst ? squares << distance : squares >> distance;
}

// Plays one random move for `own` against `other`; returns whether the move wins.
template <bool kFirst>
bool move(Board& own, Board& other, Random& random) {
    // 1. Find where a step can end: towards column a, straight ahead, towards column e.
    constexpr int kTowardsA = kFirst ? 4 : 6;
    constexpr int kTowardsE = kFirst ? 6 : 4;
    const std::array<Board, 3> ends = {forward<kFirst>(own & ~kColumnA, kTowardsA) & ~own & kField,
                                       forward<kFirst>(own, 5) & ~(own | other) & kField,
                                       forward<kFirst>(own & ~kColumnE, kTowardsE) & ~own & kField};
    const std::array<std::uint32_t, 3> counts = {static_cast<std::uint32_t>(std::popcount(ends[0])),
                                                 static_cast<std::uint32_t>(std::popcount(ends[1])),
                                                 static_cast<std::uint32_t>(std::popcount(ends[2]))};

    // 2. Pick a step uniformly. There is always one, because the foremost piece has a free diagonal.
    std::uint32_t index = random.below(counts[0] + counts[1] + counts[2]);
    std::size_t direction = 0;
    for (; index >= counts[direction]; ++direction) index -= counts[direction];
    Board rest = ends[direction];
    for (; index > 0; --index) rest &= rest - 1;
    const int distance = kFirst ? kTowardsA + static_cast<int>(direction) : kTowardsA - static_cast<int>(direction);

    // 3. Play the step.
    const Board target = rest & (~rest + 1);
    own ^= target | forward<!kFirst>(target, distance);
    other &= ~target;
    return (target & (kFirst ? kLastRow : kFirstRow)) != 0 || other == 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fputs("usage: floor PLAYOUTS SEED\n", stderr);
        return 2;
    }
    const std::uint64_t playouts = std::strtoull(argv[1], nullptr, 10);
    Random random(std::strtoull(argv[2], nullptr, 10));
    std::uint64_t moves = 0;
    std::uint64_t moves_squared = 0;
    std::uint64_t first_wins = 0;

    const std::clock_t begin = std::clock();
    for (std::uint64_t playout = 0; playout < playouts; ++playout) {
        Board first = kFirstRow;
        Board second = kLastRow;
        std::uint64_t length = 0;
        while (true) {
            ++length;
            if (move<true>(first, second, random)) {
                ++first_wins;
                break;
            }
            ++length;
            if (move<false>(second, first, random)) break;
        }
        moves += length;
        moves_squared += length * length;
    }
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;

    std::printf(
        "{\"playouts\": %llu, \"moves\": %llu, \"moves_squared\": %llu, \"first_wins\": %llu, \"seconds\": %.6f}\n",
        static_cast<unsigned long long>(playouts), static_cast<unsigned long long>(moves),
        static_cast<unsigned long long>(moves_squared), static_cast<unsigned long long>(first_wins), seconds);
}
