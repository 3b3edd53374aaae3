// Numbers for sets of a few spaces, so that tables can be indexed by them without gaps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "race.h"

namespace cairn::openings {

// The number of sets of `size` out of `count`.
constexpr std::uint32_t choose(int count, int size) {
    std::uint64_t product = 1;
    for (int index = 0; index < size; ++index)
        product = product * std::uint64_t(count - index) / std::uint64_t(index + 1);
    return size > count ? 0 : std::uint32_t(product);
}

inline constexpr auto Choose = [] {
    std::array<std::array<std::uint32_t, ShamansPerTribe + 1>, CellCount + 1> table{};
    for (int count = 0; count <= CellCount; ++count)
        for (int size = 0; size <= ShamansPerTribe; ++size)
            table[std::size_t(count)][std::size_t(size)] = choose(count, size);
    return table;
}();

// The number of sets of at most `most` out of `count`.
constexpr std::uint32_t choose_up_to(int count, int most) {
    std::uint32_t sum = 0;
    for (int size = 0; size <= most; ++size) sum += Choose[std::size_t(count)][std::size_t(size)];
    return sum;
}

// Numbers the sets of at most five spaces of an area from 0: first by size, then in colexicographic order. Three table
// lookups give a number.
class SetNumbers {
  public:
    SetNumbers() = default;
    explicit SetNumbers(Cells area) { reset(area); }

    void reset(Cells area) {
        area_ = area;
        int start[ShamansPerTribe + 2] = {0};
        for (int size = 0; size <= ShamansPerTribe; ++size)
            start[size + 1] = start[size] + int(Choose[std::size_t(popcount(area))][std::size_t(size)]);
        fill(low_.data(), LowBits, 0, 0);
        for (int before = 0; before <= ShamansPerTribe; ++before) {
            fill(middle_[std::size_t(before)].data(), HighBits, LowBits, before);
            auto& high = high_[std::size_t(before)];
            fill(high.data(), HighBits, LowBits + HighBits, before);
            const Cells allowed = area >> (LowBits + HighBits);
            for (Cells set = 0; set < high.size(); ++set)
                if (const int size = before + popcount(set); (set & ~allowed) == 0 && size <= ShamansPerTribe)
                    high[set] += std::uint32_t(start[size]);
        }
    }

    // Precondition: the set has at most five spaces, all of them in the area.
    std::uint32_t operator()(Cells set) const {
        const Cells low = set & ((1u << LowBits) - 1), lower = set & ((1u << (LowBits + HighBits)) - 1);
        return low_[low] + middle_[std::size_t(popcount(low))][lower >> LowBits] +
               high_[std::size_t(popcount(lower))][set >> (LowBits + HighBits)];
    }

    Cells area() const { return area_; }

  private:
    static constexpr int LowBits = 9, HighBits = 8;

    // The sums for all sets of a part of the field, if `before` spaces of the whole set are in lower parts.
    void fill(std::uint32_t* sums, int bits, int shift, int before) {
        const Cells allowed = area_ >> shift;
        sums[0] = 0;
        for (Cells set = 1; set < Cells{1} << bits; ++set) {
            const int size = before + popcount(set);
            if ((set & ~allowed) != 0 || size > ShamansPerTribe) continue;
            const int top = std::bit_width(set) - 1;
            const int position = popcount(area_ & ((Cells{1} << (shift + top)) - 1));
            sums[set] = sums[set ^ Cells{1} << top] + Choose[std::size_t(position)][std::size_t(size)];
        }
    }

    Cells area_ = 0;
    std::array<std::uint32_t, 1 << LowBits> low_{};
    std::array<std::array<std::uint32_t, 1 << HighBits>, ShamansPerTribe + 1> middle_{}, high_{};
};

// The same number without tables, for a set that is looked up in its area only once.
inline std::uint32_t set_number(Cells area, Cells set) {
    const int size = popcount(set);
    std::uint32_t number = size == 0 ? 0 : choose_up_to(popcount(area), size - 1);
    int index = 0;
    for (Cells rest = set; rest != 0; rest &= rest - 1)
        number += Choose[std::size_t(popcount(area & (lowest(rest) - 1)))][std::size_t(++index)];
    return number;
}

// Turns a set of places within an area, numbered from 0, into the set of its spaces. Two table lookups suffice.
class Spread {
  public:
    void reset(Cells area) {
        const int count = popcount(area);
        half_ = (count + 1) / 2;
        for (Cells place = 0; place < Cells(count); ++place, area &= area - 1) cells_[place] = lowest(area);
        fill(low_, 0, half_);
        fill(high_, half_, count - half_);
    }
    Cells operator()(Cells places) const { return low_[places & ((Cells{1} << half_) - 1)] | high_[places >> half_]; }

  private:
    using Half = std::array<Cells, 1 << (CellCount + 1) / 2>;

    void fill(Half& table, int first, int count) {
        table[0] = 0;
        for (Cells set = 1; set < Cells{1} << count; ++set)
            table[set] = table[set & (set - 1)] | cells_[std::size_t(first + first_cell(set))];
    }

    int half_ = 0;
    std::array<Cells, CellCount> cells_{};
    Half low_, high_;
};

// The sets of at most `most` of `count` places, in the order of their numbers.
inline std::vector<Cells> sets_of_places(int count, int most) {
    std::vector<Cells> sets;
    for (int size = 0; size <= most && size <= count; ++size) {
        Cells places = (Cells{1} << size) - 1;
        while (places >> count == 0) {
            sets.push_back(places);
            if (places == 0) break;
            const Cells ripple = places + lowest(places);  // the next larger number with as many bits
            places = ripple | (places ^ ripple) >> (first_cell(places) + 2);
        }
    }
    return sets;
}

}  // namespace cairn::openings
