// Levels: how they choose among candidates, and which searches they run.
#include "levels.h"

#include <atomic>
#include <cmath>

#include "check.h"
#include "samples.h"

namespace cairn {

using namespace testing;

namespace {

const Level& level_of(int number) { return Levels[std::size_t(number - 1)]; }

// Counts how often each candidate is chosen in `tries` tries.
std::vector<int> counts(const Level& level, const std::vector<Score>& scores, int tries) {
    std::vector<int> counts(scores.size());
    Random random(1);
    for (int index = 0; index < tries; ++index) ++counts[choose(level, scores, random)];
    return counts;
}

constexpr Score win(int turns) { return Won - turns; }

// Runs the searches of a level and records their limits.
struct Searcher {
    explicit Searcher(const Position& position) : root(position) {}

    Decision decide(const Level& level, std::uint64_t seed, const Limits& most = {}) {
        LevelDecision decision(level, most, random_at(root, seed));
        while (const auto request = decision.next()) {
            ran.push_back(request->limits);
            if (request->clear) table.clear();
            table.new_search();
            Search search(table, stop);
            const auto lines = search.run(root, Past({}), request->limits, [](const Progress&) {}, LevelJudgement);
            decision.found({lines, search.nodes()});
        }
        return decision.decision();
    }

    Position root;
    std::atomic<bool> stop{false};
    Table table{1};
    std::vector<Limits> ran;
};

}  // namespace

TEST(weights_decay_exponentially_up_to_the_cap) {
    for (const Level& level : Levels) {
        CHECK_EQUAL(weight(level, 0), CertainWeight);
        CHECK_EQUAL(weight(level, level.cap + 1), 0u);
        CHECK_EQUAL(weight(level, win(1)), 0u);
        for (Score behind = 1; behind <= level.cap; ++behind) {
            const double expected = std::exp(-behind * 10.0 / level.temperature);
            CHECK(std::abs(double(weight(level, behind)) / double(CertainWeight) / expected - 1) < 1e-6);
        }
    }
}

TEST(candidates_are_chosen_in_proportion_to_their_weights) {
    const std::vector<Score> scores{10, 30, -170, -171, 25};
    constexpr int tries = 200'000;
    for (int number = 1; number <= 9; ++number) {
        const Level& level = level_of(number);
        double total = 0;
        for (Score score : scores) total += double(weight(level, 30 - score));
        const std::vector<int> chosen = counts(level, scores, tries);
        for (std::size_t index = 0; index < scores.size(); ++index) {
            const double chance = double(weight(level, 30 - scores[index])) / total;
            // Allow five standard deviations, which are 0 if the chance is 0.
            CHECK(std::abs(chosen[index] - tries * chance) <= 5 * std::sqrt(tries * chance * (1 - chance)));
        }
    }
    CHECK(counts(level_of(10), scores, 100) == (std::vector<int>{0, 100, 0, 0, 0}));
}

TEST(a_level_always_chooses_the_best_proof) {
    for (const Level& level : Levels) {
        CHECK(counts(level, {50, win(3), win(1)}, 300) == (std::vector<int>{0, 0, 300}));
        CHECK(counts(level, {-win(2), -win(6)}, 300) == (std::vector<int>{0, 300}));
        CHECK_EQUAL(counts(level, {-win(6), 0}, 300)[0], 0);
    }
}

TEST(a_seed_gives_the_same_choices_on_every_machine) {
    const std::vector<Score> scores{30, 10, -10, 25};
    const Position start = position_of(BeginnerStart);
    std::string chosen;
    for (std::uint64_t seed = 0; seed < 32; ++seed) {
        Random random = random_at(start, seed);
        chosen += char('0' + choose(level_of(1), scores, random));
    }
    CHECK_EQUAL(chosen, "02130001111301101010101103000022");
}

TEST(every_level_takes_a_win_within_this_turn) {
    Searcher searcher(position_of("F1S1S/5/5/5/2F1F - DRMD - wofm 2-0 F"));
    for (const Level& level : Levels) {
        const Decision decision = searcher.decide(level, 1);
        CHECK_EQUAL(decision.line.score, win(1));
        CHECK_EQUAL(write_token(decision.line.tokens[0]), "a5-out");
    }
    CHECK_EQUAL(searcher.ran.size(), Levels.size());
}

TEST(a_level_searches_within_its_limits) {
    Searcher searcher(position_of(BeginnerStart));
    const Decision decision = searcher.decide(level_of(5), 1, {.nodes = 1'000'000, .depth = 3});
    CHECK_EQUAL(decision.depth, 3);
    CHECK_EQUAL(searcher.ran.size(), 2u);
    CHECK_EQUAL(searcher.ran[1].nodes, level_of(5).nodes);
    CHECK_EQUAL(searcher.ran[1].depth, 3);
    CHECK_EQUAL(searcher.ran[1].lines, level_of(5).lines);
    CHECK(decision.nodes > 0 && decision.nodes <= 50'000 + level_of(5).nodes);

    // If the node limit is too low for all choices, a search to depth 1 without a node limit follows.
    searcher.ran.clear();
    CHECK_EQUAL(searcher.decide(level_of(5), 1, {.nodes = 1}).depth, 1);
    CHECK_EQUAL(searcher.ran.size(), 3u);
}

}  // namespace cairn
