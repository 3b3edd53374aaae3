// The puzzles of the web app: what every decision leads to, as far as it can be proven.
#include <algorithm>
#include <memory>
#include <numeric>

#include "../moments.h"
#include "../odds.h"
#include "../solve.h"
#include "../text.h"
#include "messages.h"
#include "module.h"

namespace cairn::page {

namespace {

// Puzzles were mined with smaller limits, so these are never reached there.
constexpr std::size_t SolverMegabytes = 32;
constexpr std::uint64_t SolverNodes = 4'000'000;
constexpr std::uint64_t OddsNodes = 8'000'000;

Solver& solver() {
    static const auto solver = std::make_unique<Solver>(SolverMegabytes, never_stop);
    return *solver;
}

// The line of a puzzle. The input contains a position and tokens.
struct PuzzleLine {
    Position now;
    int turns;  // the number of turns left
};

// Plays the line. The first `before` tokens lead to the puzzle's moment, where `turns` turns are left. Returns nothing
// if the position or a token is not valid.
std::optional<PuzzleLine> read_line(int before, int turns) {
    Texts texts(input_text);
    const auto start = read_position(texts.next());
    if (!start) return std::nullopt;
    PuzzleLine line{*start, turns};
    for (int number = 0; !texts.at_end(); ++number) {
        const auto named = read_token(texts.next());
        TokenList legal;
        line.now.legal_tokens(legal);
        const Token* token = named ? std::find(legal.begin(), legal.end(), *named) : legal.end();
        if (token == legal.end()) return std::nullopt;
        line.now.play(*token);
        if (number >= before && line.now.phase == Phase::Action) --line.turns;
    }
    return line;
}

std::optional<std::string_view> name_of(Decider decider) {
    if (decider == Decider::None) return std::nullopt;
    return DeciderNames[std::size_t(decider)];
}

}  // namespace

// Judges every legal token by the win that the attacker can force after it. Answers with the decider, the winner, the
// number of turns left, and each token with the turns to the win, counting the current turn: 0 if no win can be forced
// within the turns left. Answers null if the input is not a line.
CAIRN_EXPORT(puzzle_judge) int puzzle_judge(int attacker, int before, int turns) {
    const auto line = read_line(before, turns);
    if (!line) return answer_null();
    const Position& now = line->now;
    std::vector<TokenTurns> judged;
    if (!now.is_over() && line->turns > 0)
        judged = solver().turns_by_token(now, Past({}), Tribe(attacker), line->turns, SolverNodes);
    return answer([&](Json& json) {
        json.object([&] {
            json.name("decider");
            json.text_or_null(now.is_over() ? std::nullopt : name_of(now.decider));
            json.name("winner");
            json.text_or_null(now.is_over() ? std::optional(WinnerNames[std::size_t(now.winner)]) : std::nullopt);
            json.name("turns");
            json.number(line->turns);
            json.name("tokens");
            json.array([&] {
                for (const TokenTurns& each : judged)
                    json.object([&] {
                        json.name("token");
                        json.text(write_token(each.token));
                        json.name("turns");
                        json.number(each.turns.value_or(0));
                    });
            });
        });
    });
}

// The exact chance, for each legal token, that the attacker wins within the turns left, as a fraction. Answers null if
// the input is not a line, or if the search would take too long.
CAIRN_EXPORT(puzzle_odds) int puzzle_odds(int attacker, int before, int turns) {
    const auto line = read_line(before, turns);
    if (!line || line->now.is_over() || line->turns < 1) return answer_null();
    const auto chances = chances_by_token(line->now, Tribe(attacker), line->turns, OddsNodes);
    if (!chances) return answer_null();
    std::int64_t best = 0;
    for (const TokenChance& each : *chances) best = std::max(best, each.chance);
    return answer([&](Json& json) {
        json.array([&] {
            for (const TokenChance& each : *chances)
                json.object([&] {
                    const std::int64_t divisor = std::gcd(each.chance, CertainChance);
                    json.name("token");
                    json.text(write_token(each.token));
                    json.name("chance");
                    json.array([&] {
                        json.number(each.chance / divisor);
                        json.number(CertainChance / divisor);
                    });
                    json.name("best");
                    json.boolean(each.chance == best);
                });
        });
    });
}

}  // namespace cairn::page
