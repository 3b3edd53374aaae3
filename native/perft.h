// Counts token sequences.
#pragma once

#include <cstdint>

#include "position.h"

namespace cairn {

// The number of token sequences of the given length, including draws. The last tokens are counted without being played.
std::uint64_t perft(const Position& position, int depth);

// The same, by Position::play alone: the reference for `perft`, and smaller.
std::uint64_t plain_perft(const Position& position, int depth);

}  // namespace cairn
