#include "levels.h"

#include <algorithm>

namespace cairn {

namespace {

// Every level searches for a win within this turn, to this depth.
constexpr Limits WinSearch{.nodes = 50'000, .depth = 4};

// exp(-1 / temperature) in units of 2^-32, by its power series. Library functions differ between machines in the last
// digit, integers do not.
constexpr std::uint64_t decay(int temperature) {
    const std::uint64_t x = (CertainWeight * 10 + std::uint64_t(temperature) / 2) / std::uint64_t(temperature);
    std::uint64_t sum = CertainWeight, term = CertainWeight;
    for (std::uint64_t power = 1; term != 0; ++power) {
        term = (term * x >> 32) / power;
        sum = power % 2 == 0 ? sum + term : sum - term;
    }
    return sum;
}

}  // namespace

std::uint64_t weight(const Level& level, Score behind) {
    if (behind > level.cap) return 0;
    if (level.temperature == 0) return behind == 0 ? CertainWeight : 0;
    const std::uint64_t factor = decay(level.temperature);
    std::uint64_t weight = CertainWeight;
    for (Score point = 0; point < behind; ++point) weight = (weight * factor + CertainWeight / 2) >> 32;
    return weight;
}

std::size_t choose(const Level& level, std::span<const Score> scores, Random& random) {
    const auto best = std::max_element(scores.begin(), scores.end());
    const auto best_index = std::size_t(best - scores.begin());
    if (level.temperature == 0 || is_proof(*best)) return best_index;

    std::vector<std::uint64_t> weights;
    std::uint64_t total = 0;
    for (Score score : scores) total += weights.emplace_back(weight(level, *best - score));
    std::uint64_t rest = random.next() % total;
    for (std::size_t index = 0; index < weights.size(); ++index) {
        if (rest < weights[index]) return index;
        rest -= weights[index];
    }
    return best_index;
}

Decision decide(const Level& level, const Limits& most, Random random, const RunSearch& search) {
    // 1. Take a win within this turn.
    Searched found = search(WinSearch, true);
    std::uint64_t nodes = found.nodes;
    if (found.lines[0].score == Won - 1) return {found.lines[0], found.lines[0].depth, nodes};

    // 2. Search within the level's limits, without the results of step 1.
    Limits own;
    own.nodes = std::min(most.nodes, level.nodes);
    own.depth = std::min(most.depth, level.sight);
    own.lines = level.lines;
    found = search(own, true);
    nodes += found.nodes;
    if (found.lines[0].depth == 0) {  // there are too many choices for the node limit
        found = search({.depth = 1, .lines = level.lines}, false);
        nodes += found.nodes;
    }

    // 3. Choose a candidate.
    std::vector<Score> scores;
    for (const Line& line : found.lines) scores.push_back(line.score);
    const Line& chosen = found.lines[choose(level, scores, random)];
    return {chosen, found.lines[0].depth, nodes};
}

}  // namespace cairn
