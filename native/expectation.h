// Expected results in fixed point. Whole numbers add up exactly, and are the same on every machine.
#pragma once

#include <cstdint>

#include "evaluation.h"

namespace cairn {

// Millionths of a game: Certain is a certain win, 0 a certain loss, half of Certain a draw.
using Expectation = std::int32_t;
constexpr Expectation Certain = 1'000'000;
constexpr Expectation EvenChance = Certain / 2;

// With a lead of this many points, a win is ten times as likely as a loss.
constexpr int PointsPerTenfold = 150;

// The expected result for a score, from the same point of view. A proven win is certain.
Expectation expectation_of(Score score);

// The same expectation from the point of view of the other tribe.
constexpr Expectation other_side(Expectation expectation) { return Certain - expectation; }

}  // namespace cairn
