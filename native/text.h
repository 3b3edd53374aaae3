// Spaces and positions as text (the notation's seven fields).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "position.h"

namespace cairn {

// The letters for the faces of the four two-sided tiles. The first string has each tile's first face, the second string
// its second face.
constexpr std::array<std::string_view, 2> FaceLetters{"wofm", "bdee"};

// The parts between separators. A text without a separator is one part.
std::vector<std::string_view> split(std::string_view text, char separator);

std::string write_space(Space space);
Space read_space(std::string_view text);  // Nowhere if the text is not a space

// The current seven fields, even in the middle of a turn or after the end of the game.
std::string write_position(const Position& position);

// Reads a position at the start of a turn. Accepts only the canonical form and returns nothing for any other text. Call
// `position_faults` to find out what is wrong with it.
std::optional<Position> read_position(std::string_view text);

}  // namespace cairn
