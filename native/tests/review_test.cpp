#include "review.h"

#include <cmath>

#include "check.h"
#include "samples.h"

namespace cairn {

namespace {

using namespace testing;

TEST(expectations_are_rounded_to_millionths) {
    for (Score score = -EstimateLimit; score <= EstimateLimit; ++score)
        CHECK_EQUAL(expectation_of(score),
                    Expectation(std::lround(Certain / (1 + std::pow(10.0, -double(score) / PointsPerTenfold)))));
    CHECK_EQUAL(expectation_of(Won - 3), Certain);
    CHECK_EQUAL(expectation_of(3 - Won), 0);
}

TEST(findings_survive_as_text) {
    const UnitFindings findings{{{7, {Token(Kind::Pass)}, {}, 123}}, {{9, {Token(Kind::Draw, 3)}, {500'000}}}, 77};
    const auto read = read_findings(write_findings(findings));
    CHECK(read.has_value());
    CHECK_EQUAL(write_findings(*read), write_findings(findings));
    for (const char* text :
         {"", "closing", "closing x", "closing 1 2", "decision 1 2 0 0 closing 1", "draw 1 0 closing 1"})
        CHECK_IN(text, !read_findings(text));
}

TEST(a_review_adds_up) {
    Random random(1);
    Game game(random_start(random, 14));
    while (!game.outcome() && game.moments().tokens().size() < 80) game.push(game.now().pick_legal(random.next32()));
    const std::atomic<bool> stop{false};
    ReviewSearch search(stop);
    std::vector<UnitFindings> units;
    const ReviewEffort effort{300};
    for (const ReviewUnit& unit : plan_review(game.moments()))
        units.push_back(search.run(game.moments(), unit, effort));
    if (!game.outcome()) game.end({Winner::Sea, Reason::Resignation});
    const auto review = assemble_review(game, units);
    CHECK(review.has_value());
    std::int64_t sum = review->values[0] + review->luck + review->search + review->ending;
    sum += review->players[Sea].total_loss - review->players[Forest].total_loss;
    CHECK_EQUAL(sum, std::int64_t{*review->result});
    units.pop_back();
    CHECK(!assemble_review(game, units));
}

}  // namespace

}  // namespace cairn
