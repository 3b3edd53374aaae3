// Games of the engine against itself, as material for tuning the estimate.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "evaluation.h"
#include "random.h"
#include "search.h"

namespace cairn {

// A position at the start of a turn, and how the game ended for the player to move.
struct Sample {
    FeatureCounts features;
    std::int16_t score;   // the score of the search
    std::int16_t result;  // 1 won, 0 drawn or broken off, -1 lost
};

struct SelfPlay {
    std::uint64_t nodes = 1'000;  // for each decision
    int random_opening = 8;       // up to so many tokens are random at the beginning
    double random_token = 0.02;   // and later each one with this probability, so that games differ
    int limit = 400;              // tokens; then the game is broken off as a draw
};

// Plays one game from a start position and adds its samples. Which tiles are drawn is random.
void self_play(const Position& start, const SelfPlay& settings, Table& table, Random& random,
               const std::atomic<bool>& stop, std::vector<Sample>& samples);

}  // namespace cairn
