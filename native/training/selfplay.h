// Lets the search play against itself, to generate games for training.
#pragma once

#include <atomic>
#include <cstdint>

#include "../random.h"
#include "../search.h"
#include "games.h"

namespace cairn::training {

struct SelfPlaySettings {
    std::uint64_t nodes = 1'000;  // for each decision
    std::uint64_t spread = 0;     // a decision may take up to this many nodes more or less
    int random_opening = 8;       // up to this many random tokens at the start
    double random_token = 0.02;   // probability of a random token later, so that games differ
    int limit = 400;              // tokens; a longer game counts as a draw
    Judgement judgement;

    static SelfPlaySettings of(const FileHeader& header, const Network* network);
};

// The generator for one game of a run. Any game can therefore be played again without those before it.
Random random_for(std::uint64_t seed, std::uint32_t shard, std::uint64_t game);

// Deals a random start, the variants in equal shares, and plays one game. Precondition: the table is empty.
SelfPlayGame self_play(const SelfPlaySettings& settings, Search& search, Random& random, const std::atomic<bool>& stop);

}  // namespace cairn::training
