// The levels of the computer player: a table, and how a level chooses its token.
//
// Weak levels should make human-like mistakes. They search less and sometimes choose a slightly worse token, but they
// never mix perfect play with absurd blunders. Levels are limited by nodes, not by time, and use only integer
// arithmetic to choose, so they play the same on every machine and in the browser.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "random.h"
#include "search.h"

namespace cairn {

struct Level {
    std::uint64_t nodes;  // the node limit
    int sight;            // the depth limit
    int lines;            // the number of candidates
    int temperature;      // tenths of a point; a candidate this much worse is chosen about a third as often as the
                          // best one; with 0, the level always takes the best one
    Score cap;            // a candidate that is worse by more points than this is never chosen
};

// Levels 1 to 10, selected from sixteen candidates that played each other, so that the steps in strength are even
// (docs/methods.md).
constexpr std::array<Level, 10> Levels{{
    {530, 1, 9, 630, 200},
    {1'200, 2, 9, 510, 169},
    {3'300, 3, 7, 450, 145},
    {8'800, 4, 7, 330, 106},
    {20'000, 5, 6, 240, 84},
    {45'000, 6, 5, 180, 64},
    {85'000, 7, 4, 122, 47},
    {170'000, 9, 3, 86, 34},
    {400'000, 11, 3, 36, 16},
    {1'500'000, 64, 1, 0, 0},
}};

// The weight of a candidate that is `behind` points worse than the best one: exp(-behind / temperature) in units of
// 2^-32, and 0 beyond the cap. The best candidate has CertainWeight.
constexpr std::uint64_t CertainWeight = std::uint64_t{1} << 32;
std::uint64_t weight(const Level& level, Score behind);

// Chooses a candidate at random, better candidates more often, and returns its index. A proven loss is never chosen if
// there is an alternative. If the best score is a proven win or loss, the level takes the soonest win or the latest
// loss.
std::size_t choose(const Level& level, std::span<const Score> scores, Random& random);

// The random number generator for the choice at this moment. It depends only on the moment and the seed.
inline Random random_at(const Position& position, std::uint64_t seed) {
    return Random(mix(seed) ^ position.moment_key());
}

struct Searched {
    std::vector<Line> lines;
    std::uint64_t nodes = 0;
};

struct Decision {
    Line line;
    int depth = 0;  // of the search, not of the line
    std::uint64_t nodes = 0;
};

// A level's decision takes up to three searches, which the caller runs on one thread, each in one go or in slices.
class LevelDecision {
  public:
    // `most` further limits the nodes and the depth of the level's own search.
    LevelDecision(const Level& level, const Limits& most, Random random);

    struct Request {
        Limits limits;
        bool clear = true;  // whether the table has to be cleared first
    };
    // The search to run next; nothing once the level has decided.
    const std::optional<Request>& next() const { return next_; }
    void found(const Searched& searched);

    const Decision& decision() const { return decision_; }

  private:
    enum class Step { Win, Own, Shallow };

    const Level& level_;
    Limits most_;
    Random random_;
    Step step_ = Step::Win;
    std::optional<Request> next_;
    Decision decision_;
};

// How a level's searches judge moments. The levels were calibrated with these values, so they change only together with
// a new calibration (tools/prove_levels.py).
constexpr Judgement LevelJudgement{.network = nullptr, .outcome_limit = EstimateLimit};

// The size of the table for a level's searches. With a different size, the level would play differently.
constexpr std::size_t LevelMegabytes = 16;

}  // namespace cairn
