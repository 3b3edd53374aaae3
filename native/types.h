// Tribes, spaces, sets of spaces, faces and phases: the basic types of the core.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace cairn {

enum Tribe : std::uint8_t { Forest, Sea };
constexpr Tribe enemy_of(Tribe tribe) { return Tribe(tribe ^ 1); }

enum class Phase : std::uint8_t { Action, Build, Draw, Power, Transform, Over };
enum class Decider : std::uint8_t { Forest, Sea, Chance, None };
enum class Winner : std::uint8_t { Nobody, Forest, Sea };

constexpr int ShamansPerTribe = 5;
constexpr int PointsToWin = 3;

// A space has the number row * 6 + column, so a1 is 0. The sixth column is always empty. A shift by one step therefore
// never moves a shaman from one edge of the field to the other, and no column has to be masked.
using Space = std::uint8_t;
constexpr int Rows = 5, Columns = 5, Width = 6, SpaceLimit = Rows * Width;
constexpr Space Nowhere = 31;  // a village, or off the field; its bit is not in Field
constexpr Space make_space(int column, int row) { return Space(row * Width + column); }
constexpr int column_of(Space space) { return space % Width; }
constexpr int row_of(Space space) { return space / Width; }

// A set of spaces.
using Spaces = std::uint32_t;
constexpr Spaces bit(Space space) { return Spaces{1} << space; }
constexpr Spaces row_bits(int row) { return Spaces{0b11111} << (row * Width); }
constexpr Spaces Field = row_bits(0) | row_bits(1) | row_bits(2) | row_bits(3) | row_bits(4);

constexpr std::array<Spaces, 2> FirstRow{row_bits(0), row_bits(4)};       // B1, by tribe
constexpr std::array<Spaces, 2> LastRow{row_bits(4), row_bits(0)};        // the enemy's first row
constexpr std::array<Spaces, 2> RowBeforeLast{row_bits(3), row_bits(1)};  // from here, a jump can leave the field
constexpr std::array<std::array<Space, 2>, 2> Totem{{                     // B2, by tribe, then white, black
                                                     {make_space(3, 0), make_space(1, 0)},
                                                     {make_space(1, 4), make_space(3, 4)}}};

// The four axes along which shamans move, jump and are transformed, as distances between space numbers.
constexpr std::array<int, 2> OrthogonalAxes{1, Width}, DiagonalAxes{Width + 1, Width - 1};
constexpr std::array<int, 4> Axes{1, Width, Width + 1, Width - 1};

// The spaces one step away from any of the given spaces (B5).
constexpr Spaces adjacent(Spaces spaces) {
    Spaces reached = 0;
    for (int axis : Axes) reached |= (spaces << axis) | (spaces >> axis);
    return reached & Field;
}

constexpr Space first_of(Spaces spaces) { return Space(std::countr_zero(spaces)); }

// Calls `visit` with every space of the set, in the order a1 b1 ... e5.
template <typename Visit>
constexpr void for_each(Spaces spaces, Visit visit) {
    for (; spaces != 0; spaces &= spaces - 1) visit(first_of(spaces));
}

// The visible faces, one bit per tile. A set bit means the second face in the notation (b, d, e, e).
enum Face : std::uint8_t { AddBlack = 1, MoveDiagonal = 2, JumpEnemy = 4, TransformEnd = 8 };
constexpr int FaceSets = 16;

// Counts set bits. The portable build has no popcount instruction, and the compiler's fallback is a function call.
constexpr int popcount(std::uint64_t bits) {
#if defined(__POPCNT__) || !defined(__x86_64__)
    return std::popcount(bits);
#else
    bits -= (bits >> 1) & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return int((bits * 0x0101010101010101) >> 56);
#endif
}

// Counts the set bits of seven words. Without a popcount instruction, a carry-save adder first reduces the words to the
// ones, twos and fours of every column, so that three counts are enough.
constexpr int popcount7(const std::array<std::uint64_t, 7>& words) {
#if defined(__POPCNT__) || !defined(__x86_64__)
    int sum = 0;
    for (std::uint64_t word : words) sum += popcount(word);
    return sum;
#else
    struct Sum {
        std::uint64_t ones, twos;
    };
    const auto add = [](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
        return Sum{a ^ b ^ c, (a & b) | ((a ^ b) & c)};
    };
    const Sum first = add(words[0], words[1], words[2]), second = add(words[3], words[4], words[5]);
    const Sum ones = add(first.ones, second.ones, words[6]);
    const Sum twos = add(first.twos, second.twos, ones.twos);
    return popcount(ones.ones) + 2 * popcount(twos.ones) + 4 * popcount(twos.twos);
#endif
}

// The index of the set bit that has `index` set bits below it.
inline int nth_bit(std::uint64_t bits, int index) {
#if defined(__BMI2__)
    return std::countr_zero(_pdep_u64(std::uint64_t{1} << index, bits));
#else
    for (; index > 0; --index) bits &= bits - 1;
    return std::countr_zero(bits);
#endif
}

}  // namespace cairn
