#include "core_rules.h"

#include <algorithm>

#include "text.h"

namespace cairn::openings {

namespace {

Cells cells_of(Spaces spaces) {
    Cells cells = 0;
    for (int row = 0; row < Rows; ++row) cells |= (spaces >> (row * Width) & OneRow) << (row * Columns);
    return cells;
}

// Plays all tokens up to the end of Forest's turn.
void follow(const Position& position, const std::string& played, TurnsOfCore& found) {
    TokenList tokens;
    position.legal_tokens(tokens);
    for (Token token : tokens) {
        Position after = position;
        after.play(token);
        const std::string line = played.empty() ? write_token(token) : played + ' ' + write_token(token);
        if (after.scores[Forest] == PointsToWin) {
            found.scores = true;
        } else if (after.active == Sea) {  // perhaps without an action, so that the game is over (T1)
            const Cells mover = flip(cells_of(after.shamans[Sea])), enemy = flip(cells_of(after.shamans[Forest]));
            found.after.push_back({mover, enemy, unsigned(after.faces ^ AddBlack)});
            found.tokens.push_back(line);
        } else {
            follow(after, line, found);
        }
    }
}

Cells random_cells(Random& random, Cells area) {
    Cells cells = 0;
    for (int count = int(random.next32() % (ShamansPerTribe + 1)); count > 0; --count) {
        const Cells left = area & ~cells;
        cells |= Cells{1} << nth_bit(left, int(random.next32() % unsigned(popcount(left))));
    }
    return cells;
}

bool is_right(const RaceSolver& solver, const RacePosition& position) {
    const TurnsOfCore turns = turns_of_core(position);
    const auto leads_to = [&](RaceResult result) {
        return [&solver, result](const RacePosition& after) { return solver.result(after) == result; };
    };
    if (solver.turns() % 2 != 0) {
        const bool won =
            turns.scores || std::any_of(turns.after.begin(), turns.after.end(), leads_to(RaceResult::Loss));
        return won == (solver.result(position) == RaceResult::Win);
    }
    const bool lost = !turns.scores && std::all_of(turns.after.begin(), turns.after.end(), leads_to(RaceResult::Win));
    return lost == (solver.result(position) == RaceResult::Loss);
}

}  // namespace

std::string write_race(const RacePosition& position) {
    std::string text;
    for (int row = Rows - 1; row >= 0; --row) {
        int empty = 0;
        const auto end_gap = [&] {
            if (empty != 0) text += char('0' + empty);
            empty = 0;
        };
        for (int column = 0; column < Columns; ++column) {
            const Cells cell = Cells{1} << (row * Columns + column);
            if (((position.mine | position.theirs) & cell) == 0) {
                ++empty;
                continue;
            }
            end_gap();
            text += (position.mine & cell) != 0 ? 'F' : 'S';
        }
        end_gap();
        text += row == 0 ? ' ' : '/';
    }
    text += "b3CG,d3CD ---- - ";
    for (std::size_t tile = 0; tile < 4; ++tile) text += FaceLetters[position.faces >> tile & 1][tile];
    return text + " 2-2 F";
}

TurnsOfCore turns_of_core(const RacePosition& position) {
    TurnsOfCore found;
    follow(read_position(write_race(position)).value(), {}, found);
    return found;
}

std::vector<std::string> winning_turns(const RaceSolver& solver, const RacePosition& position) {
    const TurnsOfCore turns = turns_of_core(position);
    std::vector<std::string> winning;
    for (std::size_t index = 0; index < turns.after.size(); ++index)
        if (solver.result(turns.after[index]) == RaceResult::Loss) winning.push_back(turns.tokens[index]);
    std::sort(winning.begin(), winning.end());
    return winning;
}

RacePosition random_race(Random& random) {
    const Cells mine = random_cells(random, AllCells);
    return {mine, random_cells(random, AllCells & ~mine), random.next32() % FaceSets};
}

std::optional<RacePosition> find_mistake(const RaceSolver& solver, std::uint64_t positions, std::uint64_t seed) {
    Random random(seed);
    for (std::uint64_t checked = 0; checked < positions; checked += 2)
        if (const RacePosition position = random_race(random); !is_right(solver, position)) return position;

    constexpr int LongestGame = 40;
    for (std::uint64_t checked = 0; checked < positions / 2;) {
        RacePosition position = start_with(random.next32() % FaceSets);
        for (int turn = 0; turn < LongestGame; ++turn, ++checked) {
            if (!is_right(solver, position)) return position;
            const TurnsOfCore turns = turns_of_core(position);
            if (turns.after.empty()) break;
            position = turns.after[random.next32() % turns.after.size()];
        }
    }
    return std::nullopt;
}

}  // namespace cairn::openings
