// Eight sets of spaces, one for each direction, for computing moves, jumps and lines of three.
#pragma once

#include <array>
#include <cstdint>

#include "types.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace cairn {

// Lane 2 * axis goes along that axis of `Axes` (right, up, up and right, up and left), and lane 2 * axis + 1 goes the
// opposite way. The first four lanes are orthogonal, the last four diagonal.
#if defined(__AVX2__)

class Directions {
  public:
    static Directions all(Spaces spaces) { return Directions(_mm256_set1_epi32(int(spaces))); }

    // Moves every set one step in its direction. A shift by 32 or more clears the lanes that go the other way.
    Directions step() const {
        const __m256i up = _mm256_setr_epi32(1, 32, Width, 32, Width + 1, 32, Width - 1, 32);
        const __m256i down = _mm256_setr_epi32(32, 1, 32, Width, 32, Width + 1, 32, Width - 1);
        return Directions(_mm256_or_si256(_mm256_sllv_epi32(lanes_, up), _mm256_srlv_epi32(lanes_, down)));
    }
    // Swaps the sets of opposite directions.
    Directions opposite() const { return Directions(_mm256_shuffle_epi32(lanes_, 0b10'11'00'01)); }

    Directions operator&(Directions other) const { return Directions(_mm256_and_si256(lanes_, other.lanes_)); }
    Directions operator|(Directions other) const { return Directions(_mm256_or_si256(lanes_, other.lanes_)); }
    bool any() const { return _mm256_testz_si256(lanes_, lanes_) == 0; }

    // Packs two lanes into each word: lane 2 * axis in the low half, its opposite in the high half.
    std::array<std::uint64_t, 4> words() const {
        return {std::uint64_t(_mm256_extract_epi64(lanes_, 0)), std::uint64_t(_mm256_extract_epi64(lanes_, 1)),
                std::uint64_t(_mm256_extract_epi64(lanes_, 2)), std::uint64_t(_mm256_extract_epi64(lanes_, 3))};
    }

  private:
    explicit Directions(__m256i lanes) : lanes_(lanes) {}
    __m256i lanes_;
};

#else

// Without vector instructions, the two directions of an axis share a 64-bit word. Out of line, the four words would go
// through memory, which made playouts 8% slower.
class Directions {
  public:
    [[gnu::always_inline]] static Directions all(Spaces spaces) {
        const std::uint64_t both = spaces | std::uint64_t{spaces} << 32;
        return Directions(both, both, both, both);
    }
    [[gnu::always_inline]] Directions step() const {
        return Directions(step<0>(words_[0]), step<1>(words_[1]), step<2>(words_[2]), step<3>(words_[3]));
    }
    [[gnu::always_inline]] Directions opposite() const {
        return Directions(std::rotl(words_[0], 32), std::rotl(words_[1], 32), std::rotl(words_[2], 32),
                          std::rotl(words_[3], 32));
    }
    [[gnu::always_inline]] Directions operator&(const Directions& other) const {
        return Directions(words_[0] & other.words_[0], words_[1] & other.words_[1], words_[2] & other.words_[2],
                          words_[3] & other.words_[3]);
    }
    [[gnu::always_inline]] Directions operator|(const Directions& other) const {
        return Directions(words_[0] | other.words_[0], words_[1] | other.words_[1], words_[2] | other.words_[2],
                          words_[3] | other.words_[3]);
    }
    [[gnu::always_inline]] bool any() const { return (words_[0] | words_[1] | words_[2] | words_[3]) != 0; }
    [[gnu::always_inline]] std::array<std::uint64_t, 4> words() const { return words_; }

  private:
    Directions(std::uint64_t first, std::uint64_t second, std::uint64_t third, std::uint64_t fourth)
        : words_{first, second, third, fourth} {}

    // The masks keep bits from crossing from one half into the other.
    template <std::size_t Axis>
    [[gnu::always_inline]] static std::uint64_t step(std::uint64_t word) {
        return (word << Axes[Axis] & Field) | (word >> Axes[Axis] & std::uint64_t{Field} << 32);
    }

    std::array<std::uint64_t, 4> words_;
};

#endif

// The union of all eight sets.
inline Spaces merge(Directions directions) {
    const auto words = directions.words();
    const std::uint64_t both = (words[0] | words[1]) | (words[2] | words[3]);
    return Spaces(both) | Spaces(both >> 32);
}

}  // namespace cairn
