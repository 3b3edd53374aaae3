// Spaces and positions as text (the notation's seven fields).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "position.h"

namespace cairn {

std::string write_space(Space space);
Space read_space(std::string_view text);  // Nowhere if it is not a space

// The current seven fields, even inside a turn or after the end of the game.
std::string write_position(const Position& position);

// Reads a position at the start of a turn. Accepts only the canonical form and returns nothing for anything else; the
// caller has to explain what is wrong.
std::optional<Position> read_position(std::string_view text);

}  // namespace cairn
