#include "evaluation.h"

#include <algorithm>

#include "actions.h"
#include "directions.h"

namespace cairn {

namespace {

// The kind of place, from 0 to 14, by tribe and space. It combines the row, counted from the tribe's own village, and
// the column, counted from the nearer edge.
constexpr std::array<std::array<std::uint8_t, 32>, 2> Places = [] {
    std::array<std::array<std::uint8_t, 32>, 2> places{};
    for (int row = 0; row < Rows; ++row)
        for (int column = 0; column < Columns; ++column) {
            const int from_edge = column < 3 ? column : 4 - column;
            places[Forest][make_space(column, row)] = std::uint8_t(3 * row + from_edge);
            places[Sea][make_space(column, row)] = std::uint8_t(3 * (4 - row) + from_edge);
        }
    return places;
}();

// Counts the enemies that would be in a line for the given face if one of my shamans arrived on a space in `reached`.
int lines_in_reach(Spaces mine, Spaces theirs, Spaces reached, bool middle) {
    const Directions own = Directions::all(mine), goals = Directions::all(reached), foes = Directions::all(theirs);
    const Directions behind = own.step();
    if (middle) return popcount(merge(foes & behind & goals.step().opposite()));
    const Directions pair_ahead = (own & goals.step()).step();  // the farther shaman arrives
    const Directions pair_behind = (goals & behind).step();     // the nearer shaman arrives
    return popcount(merge(foes & (pair_ahead | pair_behind)));
}

// Calls `count(feature, times)` for every feature of one tribe.
template <typename Count>
void describe_tribe(const Position& position, Tribe me, std::size_t base, Count count) {
    const Spaces mine = position.shamans[me], theirs = position.shamans[enemy_of(me)];
    const ActionSets actions(position, me);
    const Spaces targets = actions.targets();

    const Spaces stranded = mine & LastRow[me] & position.megaliths;
    for_each(mine & ~stranded, [&](Space space) { count(base + feature::Shaman + Places[me][space], 1); });
    if (stranded != 0) count(base + feature::StrandedShaman, popcount(stranded));
    count(base + feature::Village + position.villages[me], 1);

    // The value of a point within reach depends on how many points the tribe still needs.
    const std::size_t score = position.scores[me];
    const int exits = popcount(mine & LastRow[me] & ~position.megaliths);
    const int jumps = popcount(actions.jumps_out() & ~position.megaliths);
    count(base + feature::ExitReady + score, exits);
    count(base + feature::JumpOut, jumps);
    count(base + feature::JumpOutReady + score, jumps);

    // Shamans that could jump off the field after a flip of the jump tile.
    const Spaces hurdles = ((position.faces & JumpEnemy) != 0 ? mine : theirs) & LastRow[me];
    const Spaces beside = hurdles | hurdles << 1 | hurdles >> 1;
    const Spaces jumpers = mine & RowBeforeLast[me] & (beside << Width | beside >> Width) & ~position.megaliths;
    count(base + feature::JumpOutNext, popcount(jumpers));

    const bool middle = (position.faces & TransformEnd) == 0;
    const int lines = lines_in_reach(mine, theirs, targets, middle);
    count(base + feature::Line, lines);
    count(base + feature::LineReady + score, lines);
    count(base + feature::LineNext, lines_in_reach(mine, theirs, targets, !middle));

    count(base + feature::Mobility, std::min(actions.count(), 24));
    const Space totem = Totem[me][position.faces & AddBlack];
    const bool can_add = position.villages[me] != 0 && (mine & bit(totem)) == 0;
    count(base + feature::TotemFree, can_add);
    count(base + feature::TotemStrikes, can_add && (theirs & bit(totem)) != 0);

    const Directions near = Directions::all(mine).step();
    count(base + feature::Neighbours, popcount(merge(near) & mine));
    count(base + feature::Facing, popcount(merge(near) & theirs));
    count(base + feature::OnMegalith, popcount(mine & position.megaliths));
    for_each(targets & position.megaliths,
             [&](Space space) { count(base + feature::Reaches + position.tile_at[space], 1); });
}

template <typename Count>
void describe(const Position& position, Tribe mover, Count count) {
    describe_tribe(position, mover, 0, count);
    describe_tribe(position, enemy_of(mover), feature::PerTribe, count);
    const int scores = 3 * position.scores[mover] + position.scores[enemy_of(mover)];
    count(feature::Scores + std::size_t(scores), 1);
}

}  // namespace

Score evaluate(const Position& position, Tribe mover) {
    Score sum = 0;
    describe(position, mover, [&](std::size_t index, int times) { sum += TunedWeights[index] * times; });
    return std::clamp(sum, -EstimateLimit, EstimateLimit);
}

}  // namespace cairn
