// The lines of three that allow a transformation.
#pragma once

#include <array>
#include <vector>

#include "position.h"

namespace cairn {

using LineOfThree = std::array<Space, 3>;  // from end to end

// Each line in which the active tribe can transform the enemy on this space (X1, X2).
std::vector<LineOfThree> find_lines(const Position& position, Space enemy);

}  // namespace cairn
