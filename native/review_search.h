// The searches of a review. They are divided into units, which can run in any order and on several machines, because
// the result of a unit depends only on the game and the effort.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expectation.h"
#include "game.h"
#include "search.h"

namespace cairn {

// How much a review searches. All efforts are node limits, so a review is the same on every machine.
struct ReviewEffort {
    static constexpr std::uint64_t UsualNodes = 100'000;
    std::uint64_t nodes = UsualNodes;  // for the best token at a moment, and for the moment after it

    // For the moment after the best token, if the played token seems to be an inaccuracy or worse.
    std::uint64_t verification() const { return 3 * nodes; }
    // For each tile that might have been drawn.
    std::uint64_t tile() const { return nodes / 2; }
    // For each tile that might be drawn after an alternative.
    std::uint64_t side_tile() const { return nodes / 4; }
};

// A part of the searches: the decisions among the tokens from `first` to `last` - 1, or the draw at `first`.
struct ReviewUnit {
    enum class Kind : std::uint8_t { Decisions, Draw };
    Kind kind = Kind::Decisions;
    std::size_t first = 0, last = 0;
    int weight = 0;  // the share of the work, for a progress bar
};

// The units of a game, in a fixed order. A game without tokens has one unit, which evaluates its only moment.
std::vector<ReviewUnit> plan_review(const Moments& moments);

// What the searches found about a decision.
struct DecisionFinding {
    std::size_t index = 0;
    // The line that the search prefers. It begins with the played token if the search found nothing better.
    std::vector<Token> better;
    // The best line after the played token.
    std::vector<Token> refutation;
    // Forest's expectation after the first token of `better`, if this is not the played token.
    Expectation after_better = 0;
};

struct DrawFinding {
    std::size_t index = 0;
    std::vector<Token> tiles;         // that might have come, in ASCII order
    std::vector<Expectation> values;  // Forest's expectation after each, all searched with the same effort
};

struct UnitFindings {
    std::vector<DecisionFinding> decisions;
    std::vector<DrawFinding> draws;
    Expectation closing = 0;  // Forest's expectation at the moment after the last token of the unit
};

// Findings as one line of text, to pass them between processes. Returns nothing for a text that is not one.
std::string write_findings(const UnitFindings& findings);
std::optional<UnitFindings> read_findings(std::string_view text);

// A moment with the part of the history that matters for it.
struct ReviewMoment {
    Position position;
    std::vector<Key> turn_starts;
    bool is_repetition = false;  // G3: the game is drawn here

    static ReviewMoment before(const Moments& moments, std::size_t index);
    ReviewMoment after(Token token) const;
    bool is_over() const { return is_repetition || position.is_over(); }
    bool is_decision() const { return !is_over() && position.decider <= Decider::Sea; }
};

// Runs the searches. Its table takes `Megabytes`.
class ReviewSearch {
  public:
    static constexpr std::size_t Megabytes = 16;

    explicit ReviewSearch(const std::atomic<bool>& stop) : table_(Megabytes), search_(table_, stop) {}

    UnitFindings run(const Moments& moments, const ReviewUnit& unit, const ReviewEffort& effort);

    struct Found {
        Expectation value = EvenChance;  // Forest's
        std::vector<Token> line;         // empty if no tribe decides
    };
    // Evaluates a moment on its own, without knowledge from other searches.
    Found evaluate_alone(const ReviewMoment& moment, std::uint64_t nodes, std::uint64_t tile_nodes);

  private:
    UnitFindings run_decisions(const Moments& moments, const ReviewUnit& unit, const ReviewEffort& effort);
    UnitFindings run_draw(const Moments& moments, const ReviewUnit& unit, const ReviewEffort& effort);
    Found look(const ReviewMoment& moment, std::uint64_t nodes, std::uint64_t tile_nodes);

    Table table_;
    Search search_;
};

// The mean, rounded to the nearest millionth.
Expectation mean_of(const std::vector<Expectation>& values);

// Forest's expectation at a moment at which the game is over.
Expectation final_expectation(const ReviewMoment& moment);
inline Expectation expectation_of(Winner winner) {
    return winner == Winner::Nobody ? EvenChance : winner == Winner::Forest ? Certain : 0;
}

// By how much `better` is better than `worse` for a tribe, given Forest's expectations.
constexpr Expectation gain_for(Tribe tribe, Expectation better, Expectation worse) {
    return tribe == Forest ? better - worse : worse - better;
}

// The smallest losses with each mark.
constexpr Expectation InaccuracyFrom = 50'000, MistakeFrom = 100'000, BlunderFrom = 200'000;

}  // namespace cairn
