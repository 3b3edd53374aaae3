// Lets the search play against itself, to generate training data for the evaluation.
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
    std::int16_t score;   // the score from the search
    std::int16_t result;  // 1 won, 0 drawn or unfinished, -1 lost
};

struct SelfPlay {
    std::uint64_t nodes = 1'000;  // for each decision
    int random_opening = 8;       // up to this many random tokens at the start
    double random_token = 0.02;   // probability of a random token later, so that games differ
    int limit = 400;              // tokens; a longer game counts as a draw
};

// Plays one game from `start` and adds its samples. Tile draws are random.
void self_play(const Position& start, const SelfPlay& settings, Table& table, Random& random,
               const std::atomic<bool>& stop, std::vector<Sample>& samples);

}  // namespace cairn
