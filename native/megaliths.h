// The megalith tiles. The table itself is src/cairn/megaliths.json; the build turns it into megaliths.inc.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "types.h"

namespace cairn {

enum Tile : std::uint8_t {
#define CAIRN_MEGALITH(code, variant, beginner_start) code,
#include "megaliths.inc"
#undef CAIRN_MEGALITH
    TileLimit,
    NoTile = 31
};

constexpr std::array<std::string_view, TileLimit> TileCodes{
#define CAIRN_MEGALITH(code, variant, beginner_start) #code,
#include "megaliths.inc"
#undef CAIRN_MEGALITH
};

// A set of tiles.
using Tiles = std::uint32_t;
constexpr Tiles bit(Tile tile) { return Tiles{1} << tile; }

constexpr Tile tile_of(std::string_view code) {
    for (int tile = 0; tile < TileLimit; ++tile)
        if (TileCodes[std::size_t(tile)] == code) return Tile(tile);
    return NoTile;
}

}  // namespace cairn
