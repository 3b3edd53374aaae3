// The exact chance to win within a few turns, as an average over the tiles that can be drawn.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "position.h"

namespace cairn {

// Chances are numbers out of this one, so that they are exact and can be compared. It can be divided by every product
// of three numbers from 1 to 13; a deck has at most 13 tiles.
constexpr std::int64_t CertainChance = std::int64_t{360'360} * 360'360 * 360'360;

struct TokenChance {
    Token token;
    std::int64_t chance;
};

// For every legal token, in the order of their notation: the chance that the attacker wins within `turns` turns,
// counting the current one, if the attacker maximises this chance and the enemy minimises it. Ignores repetition.
// Returns nothing if the node limit is reached, or if a chance cannot be represented.
std::optional<std::vector<TokenChance>> chances_by_token(const Position& root, Tribe attacker, int turns,
                                                         std::uint64_t nodes);

}  // namespace cairn
