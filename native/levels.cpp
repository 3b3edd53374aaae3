#include "levels.h"

#include <algorithm>

namespace cairn {

namespace {

// Every level first searches with these limits for a win within this turn.
constexpr Limits WinSearch{.nodes = 50'000, .depth = 4};

// exp(-1 / temperature) in units of 2^-32, computed from its power series with integers. With library functions, the
// last digits would differ between machines.
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

LevelDecision::LevelDecision(const Level& level, const Limits& most, Random random)
    : level_(level), most_(most), random_(random), next_(Request{WinSearch}) {}

void LevelDecision::found(const Searched& searched) {
    const Line& best = searched.lines[0];
    decision_.depth = best.depth;
    decision_.nodes += searched.nodes;
    next_.reset();

    // 1. Take a win within this turn if there is one. Otherwise discard this search and search within the level's
    // limits.
    if (step_ == Step::Win) {
        decision_.line = best;
        if (best.score == Won - 1) return;
        step_ = Step::Own;
        next_ = Request{{.nodes = std::min(most_.nodes, level_.nodes),
                         .depth = std::min(most_.depth, level_.sight),
                         .lines = level_.lines}};
        return;
    }

    // 2. If the search reached the node limit before depth 1, search again to depth 1.
    if (step_ == Step::Own && best.depth == 0) {
        step_ = Step::Shallow;
        next_ = Request{{.depth = 1, .lines = level_.lines}, false};
        return;
    }

    // 3. Choose a candidate.
    std::vector<Score> scores;
    for (const Line& line : searched.lines) scores.push_back(line.score);
    decision_.line = searched.lines[choose(level_, scores, random_)];
}

}  // namespace cairn
