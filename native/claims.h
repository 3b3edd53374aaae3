// Why a decision was a mistake, as an event that can be checked by replaying two lines of play.
#pragma once

#include <optional>
#include <vector>

#include "review_search.h"
#include "story.h"

namespace cairn {

// A claim says that an event happens in one line and not in the other. The lines are the played token with its
// refutation, and the better token with its continuation.
struct Claim {
    // The kinds, the most important first. Each is good for one tribe.
    enum class Kind : std::uint8_t { Wins, Scores, Banishes, ExtraTurn, Reaches, Activates };

    Kind kind = Kind::Wins;
    Tribe tribe = Forest;  // the tribe that profits
    // Whether the event happens in the better line only, to the decider's profit. Otherwise it happens in the
    // refutation only, to the other tribe's profit.
    bool missed = false;
    Effect event{EffectKind::Passed, Forest};
    int turns = 0;  // the number of turns that end before the event
    // The flip by the played token that makes the event possible. The better token does not flip this tile.
    std::optional<Effect> cause{};
    // What holds for the other line: no such event for the tribe, none on the same space, or none this soon.
    enum class Contrast : std::uint8_t { Never, Elsewhere, Later };
    Contrast contrast = Contrast::Never;
};

// An event in a line of play.
struct LineEvent {
    Claim::Kind kind;
    Tribe tribe;  // the tribe that profits
    Effect effect;
    int turns;
    std::size_t token;  // its index in the line
};

// What happens in a line of play.
struct LineStory {
    std::vector<LineEvent> events;
    std::vector<std::pair<std::size_t, Effect>> flips;  // with the index of the token
    int turns = 0;                                      // the number of turns that end in the line
    bool is_over = false, at_draw = false;              // how it ends

    // Whether the line shows this turn, counted from 0, to its end or to a draw.
    bool covers(int turn) const { return is_over || turns + at_draw > turn; }
};

// Plays the tokens, as far as they are legal, and collects the events.
LineStory tell_line(const ReviewMoment& moment, const std::vector<Token>& tokens);

// Finds the most important claim that holds. `refutation` begins with the played token, and `better` with the better
// one.
std::optional<Claim> find_claim(const ReviewMoment& moment, const std::vector<Token>& refutation,
                                const std::vector<Token>& better);

}  // namespace cairn
