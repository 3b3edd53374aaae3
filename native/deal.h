// The start of a game (S1-S5), dealt from the results of a shuffle and five coin tosses.
//
// The caller shuffles with its own generator. `chance.h` uses a keyed generator, so that players can verify a deal.
#pragma once

#include <optional>
#include <span>

#include "position.h"

namespace cairn {

enum class Variant : std::uint8_t { Beginner, Standard, Expert };
constexpr std::array<std::string_view, 3> VariantNames{"beginner", "standard", "expert"};

// The tiles of a variant, in the order of the megalith table.
std::span<const Tile> tiles_of(Variant variant);

// Deals the tiles in the given order. Returns nothing unless `order` contains each tile of the variant exactly once.
// The position does not contain the order of the deck.
std::optional<Position> deal(Variant variant, std::span<const Tile> order, int faces, Tribe first);

}  // namespace cairn
