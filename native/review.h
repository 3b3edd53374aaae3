// The review of a game: an account of decisions and luck that adds up exactly.
//
//   result - expectation at the start = decisions of Forest + decisions of Sea + luck of the draws + search + ending
//
// docs/review.md defines the terms.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "claims.h"

namespace cairn {

enum class Mark : std::uint8_t { None, Inaccuracy, Mistake, Blunder };
constexpr std::array<std::string_view, 4> MarkNames{"", "inaccuracy", "mistake", "blunder"};
constexpr Mark mark_of(Expectation loss) {
    return loss >= BlunderFrom      ? Mark::Blunder
           : loss >= MistakeFrom    ? Mark::Mistake
           : loss >= InaccuracyFrom ? Mark::Inaccuracy
                                    : Mark::None;
}

struct ReviewedStep {
    Token token;
    int turn = 0;  // from 1
    Decider decider = Decider::Forest;
    int choices = 0;         // the number of legal tokens
    Expectation search = 0;  // what neither a decision nor luck explains

    // --- A decision.
    Expectation loss = 0;           // what the decider gave away; never negative
    Expectation after_better = 0;   // Forest's expectation after the first token of `better`, if that was not played
    std::vector<Token> better;      // the best line; it begins with the played token if nothing was lost
    std::vector<Token> refutation;  // the best line after the played token
    std::optional<Claim> claim;     // why it was an inaccuracy or worse

    // --- A draw.
    Expectation luck = 0;  // for Forest
    std::vector<Token> tiles;
    std::vector<Expectation> tile_values;

    Mark mark() const { return mark_of(loss); }
};

struct ReviewedPlayer {
    int decisions = 0;  // with a choice
    std::int64_t total_loss = 0;
    Expectation mean_loss = 0, accuracy = Certain;
    int level_by_loss = 0, level_by_accuracy = 0;  // the level that comes closest; 0 without decisions
    std::array<int, 4> marks{};                    // by Mark
};

struct Review {
    std::optional<Expectation> result;  // nothing if the game is unfinished
    std::vector<Expectation> values;    // Forest's expectation at each moment
    std::vector<ReviewedStep> steps;
    std::array<ReviewedPlayer, 2> players;
    std::int64_t luck = 0, search = 0;  // for Forest
    Expectation ending = 0;  // the part of the result that was declared, not played: a resignation, for example
    std::vector<std::size_t> turning_points;  // the worst mistakes, at most three, in the order of the game

    // The result without the luck of the draws. Precondition: there is a result.
    Expectation adjusted_result() const;
};

// Puts the findings of all units together. Returns nothing if they do not fit the game.
std::optional<Review> assemble_review(const Game& game, std::span<const UnitFindings> units);

// The judgement on a token that a player tries instead of the played one.
struct Retry {
    Expectation value = 0;  // Forest's, after the token
    Expectation loss = 0;
    std::vector<Token> reply;  // the best line after the token
    bool is_good() const { return mark_of(loss) == Mark::None; }
};
// Tokens that the review knows get the judgement of the review. Precondition: a tribe decides before token `index`, and
// the token is legal there.
Retry retry(const Moments& moments, const Review& review, std::size_t index, Token token, ReviewSearch& search,
            const ReviewEffort& effort);

// The review as JSON.
std::string write_review(const Review& review);
std::string write_retry(const Retry& retry);

}  // namespace cairn
