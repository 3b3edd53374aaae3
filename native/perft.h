// Counting token sequences.
#pragma once

#include <cstdint>

#include "position.h"

namespace cairn {

// The number of token sequences of that length, draws counted like any other token. The last level is only counted.
std::uint64_t perft(const Position& position, int depth);

}  // namespace cairn
