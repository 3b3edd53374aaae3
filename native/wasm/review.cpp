// Reviews a game. The page gives each worker the same game and some of the units, and lets one worker assemble them.
#include "../review.h"

#include <algorithm>
#include <memory>

#include "messages.h"
#include "module.h"

namespace cairn::page {

namespace {

// The game under review. It is on the heap, because the table and the search are too large for the stack.
struct PageReview {
    PageReview(const Game& reviewed, const ReviewEffort& nodes)
        : game(reviewed), plan(plan_review(reviewed.moments())), effort(nodes) {}

    Game game;
    std::vector<ReviewUnit> plan;
    ReviewEffort effort;
    std::optional<Review> result;
    ReviewSearch search{never_stop};
};

std::unique_ptr<PageReview> page_review;

int answer_text(std::string_view text) {
    output_text = text;
    return int(output_text.size());
}

}  // namespace

// Plans the review of the current game. If `nodes` is 0, uses the default number of nodes. Answers with the weight of
// each unit.
CAIRN_EXPORT(review_plan) int review_plan(double nodes) {
    if (!game) return answer_null();
    page_review = std::make_unique<PageReview>(*game, nodes > 0 ? ReviewEffort{std::uint64_t(nodes)} : ReviewEffort());
    return answer([](Json& json) {
        json.array([&] {
            for (const ReviewUnit& unit : page_review->plan) json.number(unit.weight);
        });
    });
}

// Searches a unit. Answers with its findings, or null if there is no such unit.
CAIRN_EXPORT(review_unit) int review_unit(int unit) {
    if (!page_review || unit < 0 || std::size_t(unit) >= page_review->plan.size()) return answer_null();
    PageReview& review = *page_review;
    const auto found = review.search.run(review.game.moments(), review.plan[std::size_t(unit)], review.effort);
    return answer([&](Json& json) { json.text(write_findings(found)); });
}

// Puts together the findings of all units, which are the input, in order. Answers with the review, or null if the
// findings do not fit the game.
CAIRN_EXPORT(review_assemble) int review_assemble() {
    if (!page_review) return answer_null();
    std::vector<UnitFindings> units;
    for (Texts texts(input_text); !texts.at_end();) {
        auto findings = read_findings(texts.next());
        if (!findings) return answer_null();
        units.push_back(std::move(*findings));
    }
    page_review->result = assemble_review(page_review->game, units);
    return page_review->result ? answer_text(write_review(*page_review->result)) : answer_null();
}

// Judges the token in the input as a replacement for the token at `index`. Answers null if it cannot be tried.
CAIRN_EXPORT(review_retry) int review_retry(int index) {
    if (!page_review || !page_review->result) return answer_null();
    PageReview& review = *page_review;
    const auto number = std::size_t(index);
    if (index < 0 || number >= review.result->steps.size() || review.result->steps[number].decider > Decider::Sea)
        return answer_null();
    const auto token = read_token(input_text);
    TokenList legal;
    review.game.moments().before(number).legal_tokens(legal);
    if (!token || std::find(legal.begin(), legal.end(), *token) == legal.end()) return answer_null();
    return answer_text(
        write_retry(retry(review.game.moments(), *review.result, number, *token, review.search, review.effort)));
}

}  // namespace cairn::page
