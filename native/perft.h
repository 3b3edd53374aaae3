// Counts token sequences.
#pragma once

#include <cstdint>

#include "position.h"

namespace cairn {

// The number of token sequences of that length; draws count like other tokens. The last level is counted, not played.
std::uint64_t perft(const Position& position, int depth);

}  // namespace cairn
