// Spaces and positions as text (the notation's seven fields).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "position.h"

namespace cairn {

std::string write_space(Space space);
Space read_space(std::string_view text);  // Nowhere if it is none

// The seven fields as they stand, also inside a turn and after the end.
std::string write_position(const Position& position);

// A position at the start of a turn. Accepts exactly the canonical form and gives nothing for anything else; finding
// words for what is wrong is the caller's affair.
std::optional<Position> read_position(std::string_view text);

}  // namespace cairn
