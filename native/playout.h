// Plays games with random tokens.
#pragma once

#include <array>
#include <cstdint>

#include "position.h"
#include "random.h"

namespace cairn {

struct PlayoutTally {
    std::uint64_t tokens = 0;                // played in all games combined
    std::array<std::uint64_t, 3> results{};  // by Winner; Nobody means that the limit was reached
};

// Plays uniformly random legal tokens until the game ends or `limit` tokens are played. Returns the number of tokens.
std::uint64_t random_playout(Position& position, Random& random, std::uint64_t limit);

// Plays many random games from one position.
PlayoutTally random_playouts(const Position& position, std::uint64_t games, std::uint64_t seed, std::uint64_t limit);

}  // namespace cairn
