// Zobrist hashing: a position is identified by the XOR of random numbers.
#pragma once

#include <array>
#include <cstdint>

#include "megaliths.h"
#include "types.h"

namespace cairn {

using Key = std::uint64_t;

// Spreads the bits of a number (splitmix64's finaliser).
constexpr Key mix(Key value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

struct Zobrist {
    std::array<std::array<Key, 32>, 2> shaman{};                // by tribe and space; zero for Nowhere
    std::array<std::array<Key, 32>, TileLimit> megalith{};      // by tile and space
    std::array<std::array<Key, 2>, 32> upcoming{};              // by tile (zero for NoTile) and slot
    std::array<Key, TileLimit> unknown{};                       // by tile, for tiles in unknown order
    std::array<std::array<Key, TileLimit>, TileLimit> known{};  // by tile and height above the deck's bottom
    std::array<Key, FaceSets> faces{};                          // faces[a] ^ faces[b] == faces[a ^ b]
    std::array<std::array<Key, PointsToWin + 1>, 2> score{};
    Key sea_active = 0;
};

constexpr Zobrist make_zobrist() {
    Zobrist table;
    Key state = 0;
    const auto next = [&state] { return mix(state += 0x9e3779b97f4a7c15); };
    for (auto& tribe : table.shaman)
        for (Space space = 0; space < SpaceLimit; ++space) tribe[space] = next();
    for (auto& tile : table.megalith)
        for (Space space = 0; space < SpaceLimit; ++space) tile[space] = next();
    for (std::size_t tile = 0; tile < TileLimit; ++tile)
        for (Key& slot : table.upcoming[tile]) slot = next();
    for (Key& tile : table.unknown) tile = next();
    for (auto& tile : table.known)
        for (Key& height : tile) height = next();
    for (std::size_t face = 1; face < FaceSets; face <<= 1) table.faces[face] = next();
    for (std::size_t faces = 1; faces < FaceSets; ++faces) {
        const std::size_t lowest = faces & (~faces + 1);
        table.faces[faces] = table.faces[lowest] ^ table.faces[faces ^ lowest];
    }
    for (auto& tribe : table.score)
        for (Key& score : tribe) score = next();
    table.sea_active = next();
    return table;
}

inline constexpr Zobrist Keys = make_zobrist();

}  // namespace cairn
