// The start of a game (S1-S5), dealt from the results of a shuffle and five tosses.
//
// The core shuffles nothing: whoever deals needs a generator of its own. The server's is keyed, so that players can
// check a deal; Python's gives the same start for a seed as ever; a page uses its browser's.
#pragma once

#include <optional>
#include <span>

#include "position.h"

namespace cairn {

enum class Variant : std::uint8_t { Beginner, Standard, Expert };
constexpr std::array<std::string_view, 3> VariantNames{"beginner", "standard", "expert"};

// The tiles of a variant, in the order of the table.
std::span<const Tile> tiles_of(Variant variant);

// Deals the tiles in the given order, which has to hold each tile of the variant once; otherwise returns nothing. The
// order of the deck stays with the caller: in the position it is unknown.
std::optional<Position> deal(Variant variant, std::span<const Tile> order, int faces, Tribe first);

}  // namespace cairn
