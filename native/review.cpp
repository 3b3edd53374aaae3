#include "review.h"

#include <algorithm>
#include <cstdlib>

#include "review_levels.h"

namespace cairn {

namespace {

constexpr std::size_t MostTurningPoints = 3;

// A decision without loss counts as 100 %, one that loses a tenth of a game as 50 %.
Expectation accuracy_of(Expectation loss) {
    return Expectation(std::int64_t{Certain} * MistakeFrom / (MistakeFrom + loss));
}

template <typename Measure>
int closest_level(Expectation value, Measure measure) {
    const auto distance = [&](const LevelQuality& quality) { return std::abs(measure(quality) - value); };
    const auto closest = std::min_element(
        LevelQualities.begin(), LevelQualities.end(),
        [&](const LevelQuality& one, const LevelQuality& other) { return distance(one) < distance(other); });
    return int(closest - LevelQualities.begin()) + 1;
}

void rate_players(Review& review) {
    std::array<std::int64_t, 2> accuracies{};
    for (const ReviewedStep& step : review.steps) {
        if (step.decider > Decider::Sea || step.choices < 2) continue;
        ReviewedPlayer& player = review.players[std::size_t(step.decider)];
        ++player.decisions;
        player.total_loss += step.loss;
        ++player.marks[std::size_t(step.mark())];
        accuracies[std::size_t(step.decider)] += accuracy_of(step.loss);
    }
    for (Tribe tribe : {Forest, Sea}) {
        ReviewedPlayer& player = review.players[tribe];
        if (player.decisions == 0) continue;
        player.mean_loss = Expectation(player.total_loss / player.decisions);
        player.accuracy = Expectation(accuracies[tribe] / player.decisions);
        player.level_by_loss = closest_level(player.mean_loss, [](const LevelQuality& each) { return each.mean_loss; });
        player.level_by_accuracy =
            closest_level(player.accuracy, [](const LevelQuality& each) { return each.accuracy; });
    }
}

void choose_turning_points(Review& review) {
    auto& points = review.turning_points;
    for (std::size_t index = 0; index < review.steps.size(); ++index)
        if (review.steps[index].mark() >= Mark::Mistake) points.push_back(index);
    std::stable_sort(points.begin(), points.end(), [&](std::size_t one, std::size_t other) {
        return review.steps[one].loss > review.steps[other].loss;
    });
    if (points.size() > MostTurningPoints) points.resize(MostTurningPoints);
    std::sort(points.begin(), points.end(), [](std::size_t one, std::size_t other) { return one < other; });
}

bool is_legal(const Position& position, Token token) {
    TokenList legal;
    position.legal_tokens(legal);
    return std::find(legal.begin(), legal.end(), token) != legal.end();
}

// Takes over what the searches found. Returns whether there is exactly one finding for each step.
bool take_findings(Review& review, const Moments& moments, std::span<const UnitFindings> units) {
    std::size_t taken = 0;
    std::vector<bool> known(review.steps.size(), false);
    const auto take = [&](std::size_t index, bool is_decision) {
        if (index >= known.size() || known[index]) return false;
        if ((review.steps[index].decider <= Decider::Sea) != is_decision) return false;
        known[index] = true;
        ++taken;
        return true;
    };
    for (const UnitFindings& unit : units) {
        for (const DecisionFinding& found : unit.decisions) {
            if (!take(found.index, true) || !is_legal(moments.before(found.index), found.better[0])) return false;
            ReviewedStep& step = review.steps[found.index];
            step.better = found.better;
            step.refutation = found.refutation;
            step.after_better = found.after_better;
        }
        for (const DrawFinding& found : unit.draws) {
            if (!take(found.index, false)) return false;
            ReviewedStep& step = review.steps[found.index];
            step.tiles = found.tiles;
            step.tile_values = found.values;
            if (std::find(step.tiles.begin(), step.tiles.end(), step.token) == step.tiles.end()) return false;
        }
    }
    return taken == review.steps.size();
}

// A draw's luck is the value of the tile that came minus the mean over all tiles. What became known later about the
// position holds for the other tiles too, so the value before the draw is the value after it without the luck.
Expectation value_before_draw(ReviewedStep& step, Expectation after) {
    const auto drawn = std::find(step.tiles.begin(), step.tiles.end(), step.token) - step.tiles.begin();
    step.luck = step.tile_values[std::size_t(drawn)] - mean_of(step.tile_values);
    const Expectation before = std::clamp(after - step.luck, 0, Certain);
    step.search = after - before - step.luck;
    return before;
}

// The best choice is worth what is known about the played token or the best alternative, whichever is better.
Expectation value_before_decision(ReviewedStep& step, Expectation after) {
    if (step.better[0] == step.token) return after;
    step.loss = std::max(0, gain_for(Tribe(step.decider), step.after_better, after));
    return step.loss == 0 ? after : step.after_better;
}

}  // namespace

Expectation Review::adjusted_result() const {
    return Expectation(std::clamp<std::int64_t>(*result - luck, 0, Certain));
}

std::optional<Review> assemble_review(const Game& game, std::span<const UnitFindings> units) {
    const Moments& moments = game.moments();
    const std::size_t count = moments.tokens().size();
    Review review;
    int turn = 0;
    for (std::size_t index = 0; index < count; ++index) {
        const Position& before = moments.before(index);
        turn += before.phase == Phase::Action;
        ReviewedStep step;
        step.token = moments.tokens()[index];
        step.turn = turn;
        step.decider = before.decider;
        step.choices = before.count_legal();
        review.steps.push_back(step);
    }
    const auto plan = plan_review(moments);
    if (units.size() != plan.size() || !take_findings(review, moments, units)) return std::nullopt;

    // 1. The last value: the result on the board, or the expectation if the game was not played to its end.
    const ReviewMoment end = ReviewMoment::before(moments, count);
    Expectation value = end.is_over() ? final_expectation(end) : EvenChance;
    if (!end.is_over())
        for (std::size_t number = 0; number < plan.size(); ++number)
            if (plan[number].kind == ReviewUnit::Kind::Decisions && plan[number].last == count)
                value = units[number].closing;
    if (game.outcome()) {
        review.result = expectation_of(game.outcome()->winner);
        review.ending = *review.result - value;
    }

    // 2. The other values, from the last to the first.
    review.values.assign(count + 1, value);
    for (std::size_t index = count; index-- > 0;) {
        ReviewedStep& step = review.steps[index];
        value = step.decider <= Decider::Sea ? value_before_decision(step, value) : value_before_draw(step, value);
        review.values[index] = value;
        review.luck += step.luck;
        review.search += step.search;
    }

    // 3. What follows from the values.
    for (std::size_t index = 0; index < count; ++index) {
        ReviewedStep& step = review.steps[index];
        if (step.mark() == Mark::None) continue;
        std::vector<Token> played{step.token};
        played.insert(played.end(), step.refutation.begin(), step.refutation.end());
        step.claim = find_claim(ReviewMoment::before(moments, index), played, step.better);
    }
    rate_players(review);
    choose_turning_points(review);
    return review;
}

Retry retry(const Moments& moments, const Review& review, std::size_t index, Token token, ReviewSearch& search,
            const ReviewEffort& effort) {
    const ReviewedStep& step = review.steps[index];
    if (token == step.token) return {review.values[index + 1], step.loss, step.refutation};
    if (token == step.better[0]) return {review.values[index], 0, {step.better.begin() + 1, step.better.end()}};
    const ReviewMoment after = ReviewMoment::before(moments, index).after(token);
    const auto found = search.evaluate_alone(after, effort.verification(), effort.side_tile());
    const Expectation loss = gain_for(Tribe(step.decider), review.values[index], found.value);
    return {found.value, std::max(0, loss), found.line};
}

}  // namespace cairn
