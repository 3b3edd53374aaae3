// The race to the first megalith in the beginner variant, for all faces of the tiles at once.
//
// Until somebody scores, Chaos of the Giants stays on b3 and Cairn of Dawn on d3, no tile is built or drawn, and only
// the active tribe decides. A position of the race is therefore two sets of shamans and the faces. The tribe to move
// is always shown as Forest: flipping the field upside down and swapping the tribes keeps b3 and d3 in place, and swaps
// the colours of the totem spaces, so the add tile shows its other face. docs/solver.md gives the whole argument.
//
// This is a second implementation of these few rules, made for speed; `core_rules.h` compares it with the core.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "types.h"

namespace cairn::openings {

// A set of spaces, without the core's empty sixth column: the bit of a space is row * 5 + column.
using Cells = std::uint32_t;
constexpr int CellCount = Rows * Columns;
constexpr Cells AllCells = (Cells{1} << CellCount) - 1;
constexpr Cells OneRow = (Cells{1} << Columns) - 1;
constexpr Cells NearRow = OneRow;                                       // the mover's first row
constexpr Cells FarRow = OneRow << (Columns * (Rows - 1));              // a shaman here can leave the field
constexpr int ChaosCell = 2 * Columns + 1, DawnCell = 2 * Columns + 3;  // b3, d3
constexpr Cells MegalithCells = Cells{1} << ChaosCell | Cells{1} << DawnCell;
constexpr std::array<Cells, 2> TotemCell{Cells{1} << 3, Cells{1} << 1};  // d1, b1

constexpr int first_cell(Cells cells) { return std::countr_zero(cells); }
constexpr Cells lowest(Cells cells) { return cells & (~cells + 1); }

// The field upside down: row 1 becomes row 5.
constexpr Cells flip(Cells cells) {
    constexpr Cells second = OneRow << Columns, third = OneRow << (2 * Columns);
    return (cells & OneRow) << 20 | (cells & second) << 10 | (cells & third) | (cells >> 10 & second) |
           (cells >> 20 & OneRow);
}

// A set of face combinations: bit f stands for the faces f, with the bits of `Face`, as the tribe to move sees them.
using FaceSet = std::uint16_t;
constexpr FaceSet AnyFaces = 0xffff;

// By tile and face: the combinations that show this face.
constexpr std::array<FaceSet, 2> AddFaces{0x5555, 0xaaaa}, MoveFaces{0x3333, 0xcccc}, JumpFaces{0x0f0f, 0xf0f0},
    TransformFaces{0x00ff, 0xff00};

// The combinations f for which f ^ flips is in the set.
constexpr FaceSet with_flips(FaceSet faces, unsigned flips) {
    unsigned bits = faces;
    if (flips & 1) bits = (bits & 0x5555) << 1 | (bits >> 1 & 0x5555);
    if (flips & 2) bits = (bits & 0x3333) << 2 | (bits >> 2 & 0x3333);
    if (flips & 4) bits = (bits & 0x0f0f) << 4 | (bits >> 4 & 0x0f0f);
    if (flips & 8) bits = (bits & 0x00ff) << 8 | bits >> 8;
    return FaceSet(bits);
}

struct RaceTables {
    std::array<std::array<Cells, CellCount>, 2> steps{};  // by face of the move tile
    std::array<Cells, CellCount> hurdles{};               // the spaces over which a shaman may jump
    // By the space of a shaman and the one that it jumps over: where it lands. Empty if it leaves the field.
    std::array<std::array<Cells, CellCount>, CellCount> landing{};
    // By face of the transformation tile, the space of a shaman that moved, and the space of an enemy: the space where
    // the third shaman of the line has to stand.
    std::array<std::array<std::array<Cells, CellCount>, CellCount>, 2> partner{};
    std::array<Cells, CellCount> in_line{};  // enemies with any such line
};

constexpr RaceTables make_race_tables() {
    RaceTables tables;
    const auto inside = [](int column, int row) { return column >= 0 && column < Columns && row >= 0 && row < Rows; };
    const auto cell = [&](int column, int row) {
        return inside(column, row) ? Cells{1} << (row * Columns + column) : Cells{0};
    };
    for (int row = 0; row < Rows; ++row)
        for (int column = 0; column < Columns; ++column)
            for (int up = -1; up <= 1; ++up)
                for (int right = -1; right <= 1; ++right) {
                    if (up == 0 && right == 0) continue;
                    const auto here = std::size_t(row * Columns + column);
                    const Cells beside = cell(column + right, row + up);
                    const Cells behind = cell(column + 2 * right, row + 2 * up);
                    const Cells opposite = cell(column - right, row - up);
                    tables.steps[up != 0 && right != 0][here] |= beside;
                    if (beside == 0) continue;
                    const auto enemy = std::size_t(first_cell(beside));
                    if (behind != 0 || row + 2 * up == Rows) tables.hurdles[here] |= beside;  // E1
                    tables.landing[here][enemy] = behind;
                    tables.partner[0][here][enemy] = behind;    // X1, middle
                    tables.partner[1][here][enemy] = opposite;  // X1, end: the moved shaman is next to the enemy
                    tables.in_line[here] |= beside;
                    if (behind == 0) continue;
                    tables.partner[1][here][std::size_t(first_cell(behind))] = beside;  // or two steps from it
                    tables.in_line[here] |= behind;
                }
    return tables;
}

inline constexpr RaceTables Tables = make_race_tables();

// Visits the turns of a tribe with the shamans `mine`. The visitor has these members:
//
//   FaceSet open                                     the face combinations of interest; others may be left out
//   void turn(FaceSet faces, unsigned flips, Cells mine, Cells theirs)
//     with these faces, a turn leads to these shamans, and the enemy then sees the faces f ^ flips
//   void score(FaceSet faces)                        with these faces, a turn scores
//
// The visitor may remove combinations from `open`; the visit ends when it is empty. The same result may be visited
// more than once. Without `WithScores`, the visit assumes that no turn scores with the faces in `open`. Each tribe has
// `tribe_size` shamans; tests use smaller tribes.
template <bool WithScores, typename Visitor>
class TurnGenerator {
  public:
    TurnGenerator(Visitor& visitor, int tribe_size) : visitor_(visitor), tribe_size_(tribe_size) {}

    void visit(Cells mine, Cells theirs) {
        const Cells free = AllCells & ~(mine | theirs);
        if constexpr (WithScores)
            if ((mine & FarRow) != 0) visitor_.score(visitor_.open);  // A2, E1: a step off the field, with either face

        // One loop for both faces of a tile has fewer branches that the processor cannot predict.
        for (Cells rest = mine; rest != 0 && visitor_.open != 0; rest &= rest - 1) {
            const auto origin = std::size_t(first_cell(rest));
            const Cells others = mine ^ lowest(rest);
            const Cells straight = if_open(MoveFaces[0], Tables.steps[0][origin]);
            const Cells diagonal = if_open(MoveFaces[1], Tables.steps[1][origin]);
            for (Cells targets = (straight | diagonal) & free; targets != 0; targets &= targets - 1) {  // A2
                const Cells target = lowest(targets);
                arrive<MoveDiagonal ^ TribesSwap>(MoveFaces[(target & diagonal) != 0], others, theirs, target);
            }
            const Cells jumped = if_open(JumpFaces[0], mine) | if_open(JumpFaces[1], theirs);
            for (Cells over = Tables.hurdles[origin] & jumped; over != 0; over &= over - 1) {  // A3
                const FaceSet faces = JumpFaces[(lowest(over) & theirs) != 0];
                const Cells target = Tables.landing[origin][std::size_t(first_cell(over))];
                if (target == 0) {
                    if constexpr (WithScores) visitor_.score(faces & visitor_.open);
                } else if ((target & free) != 0) {
                    arrive<JumpEnemy ^ TribesSwap>(faces, others, theirs, target);
                }
            }
        }
        if (popcount(mine) == tribe_size_) return;
        for (std::size_t face : {0u, 1u}) {  // A1
            const Cells totem = TotemCell[face];
            if ((mine & totem) == 0) arrive<AddBlack ^ TribesSwap>(AddFaces[face], mine, theirs & ~totem, totem);
        }
    }

  private:
    // The enemy sees the field upside down, so the add tile seems to show its other face.
    static constexpr unsigned TribesSwap = AddBlack;

    Cells if_open(FaceSet faces, Cells cells) const { return (visitor_.open & faces) != 0 ? cells : 0; }

    // T3: a shaman joins the others on this space. Most turns end here.
    template <unsigned Flips>
    void arrive(FaceSet faces, Cells others, Cells theirs, Cells target) {
        faces &= visitor_.open;
        if (faces == 0) return;
        if ((target & MegalithCells) != 0)
            activate<Flips>(faces, others | target, theirs, target);
        else
            finish<Flips>(faces, others | target, theirs, target);
    }

    // P1: a mandatory power, if it can do anything.
    template <unsigned Flips>
    void activate(FaceSet faces, Cells mine, Cells theirs, Cells target) {
        if (target == Cells{1} << ChaosCell) {
            Cells banished = theirs & NearRow;
            if (banished == 0) return finish<Flips>(faces, mine, theirs, target);
            for (; banished != 0; banished &= banished - 1)
                finish<Flips>(faces, mine, theirs ^ lowest(banished), target);
        } else {
            Cells added = popcount(mine) < tribe_size_ ? NearRow & ~(mine | theirs) : 0;
            if (added == 0) return finish<Flips>(faces, mine, theirs, target);
            for (; added != 0; added &= added - 1)
                finish<Flips>(faces, mine | lowest(added), theirs, target | lowest(added));
        }
    }

    // T4: the turn ends, or the tribe transforms an enemy.
    template <unsigned Flips>
    void finish(FaceSet faces, Cells mine, Cells theirs, Cells moved) {
        visitor_.turn(faces, Flips, mine, theirs);
        if (const Cells enemies = WithScores ? theirs : theirs & MegalithCells; enemies != 0)
            transform<Flips>(faces, mine, theirs, moved, enemies);
    }

    // X1-X3. On a megalith, a transformation constructs and scores nothing (E4).
    template <unsigned Flips>
    void transform(FaceSet faces, Cells mine, Cells theirs, Cells moved, Cells enemies) {
        for (; moved != 0; moved &= moved - 1) {
            const auto from = std::size_t(first_cell(moved));
            for (Cells rest = enemies & Tables.in_line[from]; rest != 0; rest &= rest - 1) {
                const auto enemy = std::size_t(first_cell(rest));
                for (std::size_t face : {0u, 1u}) {
                    if ((Tables.partner[face][from][enemy] & mine) == 0) continue;
                    const FaceSet shown = faces & TransformFaces[face];
                    if (shown == 0) continue;
                    if ((lowest(rest) & MegalithCells) != 0)
                        visitor_.turn(shown, Flips ^ TransformEnd, mine, theirs ^ lowest(rest));
                    else if constexpr (WithScores)
                        visitor_.score(shown);
                }
            }
        }
    }

    Visitor& visitor_;
    int tribe_size_;
};

}  // namespace cairn::openings
