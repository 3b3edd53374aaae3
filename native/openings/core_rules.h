// The race according to the core's rules, to check the race's own rules and the solver's tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "position.h"
#include "race_solver.h"
#include "random.h"

namespace cairn::openings {

// The position in the notation, with Forest to move. Both scores are 2, so that the first megalith ends the game, and
// no tiles are left, since none matters until then.
std::string write_race(const RacePosition& position);

struct TurnsOfCore {
    bool scores = false;              // whether a turn scores
    std::vector<RacePosition> after;  // where all other turns lead, as the enemy sees it
    std::vector<std::string> tokens;  // the tokens of these turns, separated by spaces
};
TurnsOfCore turns_of_core(const RacePosition& position);

// The turns that win the race according to the solver, unless a turn scores at once; sorted.
std::vector<std::string> winning_turns(const RaceSolver& solver, const RacePosition& position);

// A position with random shamans of both tribes and random faces.
RacePosition random_race(Random& random);

// Checks the last pass at random positions, half of them with random shamans, half from random games: whether the
// result follows from those of the positions one turn later, with the turns of the core. Returns a position at which it
// does not, if there is one.
std::optional<RacePosition> find_mistake(const RaceSolver& solver, std::uint64_t positions, std::uint64_t seed);

}  // namespace cairn::openings
