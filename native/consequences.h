// Lists what the legal tokens cause at once, beyond what the player picks, so that the user interface can tell it
// before the choice is made.
#pragma once

#include <optional>
#include <vector>

#include "choices.h"
#include "lines.h"
#include "story.h"

namespace cairn {

// A transformation that the active tribe can make right after a token.
struct Opportunity {
    Space enemy;
    bool scores;  // E4: not where a megalith stands
    bool wins;
};

struct Consequence {
    Token token;
    // A banished shaman, the activated megalith, an extra turn, nothing built, or the end of the game. The effects that
    // the player picks are left out.
    std::vector<Effect> effects{};
    std::optional<Tribe> scorer{};  // the tribe that scores a point (E2, X3)
    // What the owner of an activated power can pick first, each once, in ASCII order.
    std::vector<Pick> next{};
    // Of a transformation: each line of three with this enemy.
    std::vector<LineOfThree> lines{};
    // If the transformation comes next: the enemies that the active tribe can transform then.
    std::vector<Opportunity> transformations{};
    // Whether the activated megalith has no effect because the tribe has activated it twice already (P6).
    bool ignored = false;

    bool is_empty() const {
        return effects.empty() && !scorer && next.empty() && lines.empty() && transformations.empty();
    }
};

// The consequences of the legal tokens, in the order of `list_choices`, without the tokens that have none. There are
// none while a tribe picks a megalith to build: the choice has been made, and the score does not depend on it.
std::vector<Consequence> list_consequences(const Position& position);

}  // namespace cairn
