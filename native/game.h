// A whole game: the moments from its start, the draw by repetition (G3) and declared endings.
#pragma once

#include <optional>
#include <string_view>

#include "faults.h"
#include "moments.h"

namespace cairn {

enum class Reason : std::uint8_t { Points, NoAction, Repetition, Agreement, Resignation, Time, Abandoned };
constexpr std::array<std::string_view, 7> ReasonNames{"score",       "no-action", "repetition", "agreement",
                                                      "resignation", "time",      "abandoned"};
// The rule behind each reason.
constexpr std::array<std::string_view, 7> ReasonRules{"G1", "G2", "G3", "G3", "G3", "G3", "G3"};
// Whether a game ends on the board for this reason. An end on the board cannot be declared.
constexpr bool is_on_board(Reason reason) { return reason <= Reason::Repetition; }
std::optional<Reason> read_reason(std::string_view name);

struct Outcome {
    Winner winner = Winner::Nobody;  // Nobody: a draw
    Reason reason = Reason::Points;
    bool operator==(const Outcome&) const = default;

    // The result as written in records: F, S or =.
    char result() const { return "=FS"[std::size_t(winner)]; }
};

class Game {
  public:
    explicit Game(const Position& start) : Game(Moments(start), std::nullopt) {}
    Game(const Moments& moments, const std::optional<Outcome>& declared) : moments_(moments), declared_(declared) {
        update_outcome();
    }

    const Moments& moments() const { return moments_; }
    const Position& now() const { return moments_.now(); }

    // How the game ended; nothing while it is in progress.
    const std::optional<Outcome>& outcome() const { return ended_ ? ended_ : declared_; }
    const std::optional<Outcome>& declared() const { return declared_; }

    // The kind of token that comes next, and who decides it. Over and None once the game has an outcome.
    Phase phase() const { return outcome() ? Phase::Over : now().phase; }
    Decider decider() const { return outcome() ? Decider::None : now().decider; }

    // Plays a token. Returns the reason if it cannot be played; see `refusal`.
    std::optional<Fault> push(std::string_view token);
    // Plays a token from legal_tokens. Precondition: the game is not over.
    void push(Token legal);

    // Takes back the last token and any declared end. Precondition: a token has been played.
    Token pop();

    // Declares how the game ended. Returns false if the reason cannot be declared or the game is already over.
    bool end(Outcome outcome);

  private:
    void update_outcome();

    Moments moments_;
    std::optional<Outcome> declared_;
    std::optional<Outcome> ended_;  // the end on the board; cached, because finding a repetition is slow
};

// How the game ended at this moment, if it ended by score or for lack of an action.
std::optional<Outcome> outcome_on_board(const Position& position);

// The reason why a token cannot be played, or nothing if it can be played. The kinds are, in the order of the checks,
// "not-a-token" and "not-a-power" (`what` is the text that is not a token), "game-over" (with the `winner` and the
// `reason`), and "illegal-token" (with the `phase`, the `decider`, the first legal tokens as `legal`, and the number
// of other legal tokens as `more`).
std::optional<Fault> refusal(const Position& position, const std::optional<Outcome>& outcome, std::string_view token);

constexpr std::array<std::string_view, 6> PhaseNames{"action", "build", "draw", "power", "transform", "over"};
constexpr std::array<std::string_view, 3> DeciderNames{"forest", "sea", "chance"};
constexpr std::array<std::string_view, 3> WinnerNames{"draw", "forest", "sea"};

}  // namespace cairn
