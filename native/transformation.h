// The lines of three that make a transformation possible (X1, X2), as sets of spaces.
#pragma once

#include "directions.h"
#include "types.h"

namespace cairn {

// The enemies that can be transformed if the shamans on `moved` were moved or added this turn. Lines of three are rare,
// so this checks last whether one of the three shamans was moved.
inline Spaces transformable_enemies(Spaces own, Spaces enemies, int faces, Spaces moved) {
    const Directions mine = Directions::all(own), theirs = Directions::all(enemies);
    const Directions behind = mine.step();  // spaces that have one of my shamans one step behind them
    const bool middle = (faces & TransformEnd) == 0;
    const Directions in_line = theirs & (middle ? behind & behind.opposite() : (mine & behind).step());
    if (!in_line.any()) return 0;

    const Directions here = Directions::all(moved), one_back = here.step();
    return merge(in_line & (here | one_back | (middle ? one_back.opposite() : one_back.step())));
}

// The spaces on which another shaman of mine would complete a line of three. After an action that ends elsewhere, no
// enemy can be transformed.
inline Spaces completing_spaces(Spaces own, Spaces enemies, int faces) {
    const Directions mine = Directions::all(own), theirs = Directions::all(enemies);
    const Directions behind = mine.step();
    if ((faces & TransformEnd) == 0) return merge((theirs & behind).step());
    const Directions beyond = theirs.step();
    return merge((mine & beyond).step() | (behind & beyond.opposite()));
}

}  // namespace cairn
