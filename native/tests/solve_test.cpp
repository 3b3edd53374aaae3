// The solver: its proofs are correct, and it finds the shortest forced wins and claims no others.
#include "solve.h"

#include <algorithm>
#include <map>

#include "check.h"
#include "samples.h"
#include "text.h"

namespace cairn {

using namespace testing;

namespace {

constexpr std::uint64_t Unlimited = std::numeric_limits<std::uint64_t>::max();
constexpr int Never = 1000;

const Past NoPast{std::vector<Key>()};

Solved solve(const Position& position, int turns, const Past& past = NoPast, std::uint64_t nodes = Unlimited) {
    const std::atomic<bool> stop{false};
    return Solver(64, stop).solve(position, past, turns, nodes);
}

// The number of turns in which the tribe can force a win. Searches the whole tree of `turns` turns, without a table,
// move ordering, bounds or cutoffs. Plays at most `budget` tokens.
int turns_to_win(const Position& position, Tribe tribe, int turns, int& budget) {
    if (position.is_over()) return position.winner == (tribe == Forest ? Winner::Forest : Winner::Sea) ? 1 : Never;
    if (budget < 0) return Never;
    const bool chooses = position.decider == Decider(tribe);
    TokenList tokens;
    position.legal_tokens(tokens);
    int best = chooses ? Never : 0;
    for (Token token : tokens) {
        Position after = position;
        after.play(token);
        --budget;
        int found = Never;
        if (after.phase != Phase::Action)
            found = turns_to_win(after, tribe, turns, budget);
        else if (turns > 1)
            found = std::min(Never, turns_to_win(after, tribe, turns - 1, budget) + 1);
        best = chooses ? std::min(best, found) : std::max(best, found);
    }
    return best;
}

// The number of turns to the tribe's win, according to the solver's result.
int turns_claimed(const Solved& solved, const Position& position, Tribe tribe) {
    const Tribe viewer = position.decider <= Decider::Sea ? Tribe(position.decider) : position.active;
    return solved.verdict == (tribe == viewer ? Verdict::Win : Verdict::Loss) ? solved.turns : Never;
}

// Random moments, most of them close to the end of a game.
template <typename Visit>
void for_each_late_moment(std::uint64_t seed, int of_each, Visit visit) {
    Random random(seed);
    std::vector<Position> starts = assorted_positions(seed, of_each);
    for_each_moment(starts, random, 12, [&](const Position& position) {
        if (!position.is_over()) visit(position);
    });
}

}  // namespace

TEST(shortest_forced_wins_are_found) {
    std::map<int, int> wins;
    int number = 0;
    for (const std::string& line : data_lines("wins.jsonl")) {
        if (++number % 5 != 0) continue;
        const Position position = position_of(between(line, "\"position\": \"", "\""));
        int budget = 3'000;
        const int by_forest = turns_to_win(position, Forest, 2, budget);
        const int by_sea = turns_to_win(position, Sea, 2, budget);
        if (budget < 0) continue;
        const Solved solved = solve(position, 2);
        CHECK_IN(line, turns_claimed(solved, position, Forest) == by_forest);
        CHECK_IN(line, turns_claimed(solved, position, Sea) == by_sea);
        ++wins[std::min(by_forest, by_sea)];
    }
    CHECK(wins[1] >= 10 && wins[2] >= 10 && wins[Never] >= 10);
}

TEST(mined_positions_are_solved) {
    const std::atomic<bool> stop{false};
    Solver solver(64, stop);
    for (const std::string& line : data_lines("wins.jsonl")) {
        const Position position = position_of(between(line, "\"position\": \"", "\""));
        const Solved solved = solver.solve(position, NoPast, 3, Unlimited);
        const std::string winner = between(line, "\"winner\": \"", "\"");
        const bool by_active = winner == (position.active == Forest ? "forest" : "sea");
        const Verdict expected = winner.empty() ? Verdict::NotWithin : by_active ? Verdict::Win : Verdict::Loss;
        CHECK_IN(line, solved.verdict == expected);
        if (!winner.empty()) CHECK_EQUAL(std::to_string(solved.turns), between(line, "\"turns\": ", ","));
    }
}

TEST(the_exhaustive_search_agrees_with_the_solver) {
    std::map<int, int> wins;
    for_each_late_moment(12, 5, [&](const Position& position) {
        const Solved solved = solve(position, 3, NoPast, 5'000);
        for (Tribe tribe : {Forest, Sea}) {
            const int claimed = turns_claimed(solved, position, tribe);
            if (solved.turns > 1 && claimed != Never) {
                const auto sooner = wins_exhaustively(position, tribe, solved.turns - 1, 3'000);
                CHECK_IN(write_position(position), !sooner || !*sooner);
            }
            const auto won = wins_exhaustively(position, tribe, solved.turns, 3'000);
            CHECK_IN(write_position(position), !won || *won == (claimed != Never));
            if (won && *won) ++wins[solved.turns];
        }
    });
    CHECK(wins[1] > 10 && wins[2] + wins[3] > 3);
}

TEST(lines_end_in_the_claimed_turn) {
    int ended = 0;
    for_each_late_moment(13, 5, [&](const Position& position) {
        const Solved solved = solve(position, 3, NoPast, 5'000);
        if (solved.verdict != Verdict::Win && solved.verdict != Verdict::Loss) return CHECK(solved.line.empty());
        Position now = position;
        int turns = 1;
        for (Token token : solved.line) {
            TokenList legal;
            now.legal_tokens(legal);
            CHECK_IN(write_position(position), std::find(legal.begin(), legal.end(), token) != legal.end());
            now.play(token);
            turns += now.phase == Phase::Action;
        }
        if (!now.is_over()) return;  // the node limit cut the line short
        ++ended;
        CHECK_IN(write_position(position), turns == solved.turns);
    });
    CHECK(ended > 20);
}

TEST(proofs_are_complete) {
    int checked = 0;
    for_each_late_moment(14, 4, [&](const Position& position) {
        const Solved solved = solve(position, 3, NoPast, 5'000);
        if (solved.verdict != Verdict::Win) return;
        const Tribe winner = position.decider <= Decider::Sea ? Tribe(position.decider) : position.active;
        const std::atomic<bool> stop{false};
        std::map<Key, ProofStep> proof;
        for (const ProofStep& step : Solver(64, stop).prove(position, NoPast, winner, 3, 50'000))
            proof[step.moment] = step;
        if (proof.empty()) return;
        CHECK_EQUAL(proof[position.moment_key()].turns, solved.turns);

        // Following the proof wins in time, whatever the enemy and chance choose.
        Random random(position.key);
        for (int game = 0; game < 10; ++game) {
            Position now = position;
            for (int turns = 1; !now.is_over(); turns += now.phase == Phase::Action) {
                const auto step = proof.find(now.moment_key());
                if (step == proof.end() || turns + step->second.turns - 1 > solved.turns)
                    return fail(__FILE__, __LINE__, write_position(position));
                TokenList legal;
                now.legal_tokens(legal);
                const auto token = step->second.token;
                const Token* chosen = token ? std::find(legal.begin(), legal.end(), *token) : nullptr;
                now.play(token ? *chosen : now.pick_legal(random.next32()));
            }
            CHECK(now.winner == (winner == Forest ? Winner::Forest : Winner::Sea));
        }
        ++checked;
    });
    CHECK(checked > 10);
}

TEST(a_position_that_occurred_twice_is_not_part_of_a_win) {
    // Whatever Sea plays, Forest leaves from c5 in its next turn, unless the position in between is already a draw.
    const Position position = position_of("5/2F2/5/S3S/5 - ---- - wofm 2-2 F");
    const Solved open = solve(position, 3);
    CHECK(open.verdict == Verdict::Win && open.turns == 3);
    CHECK_EQUAL(write_token(open.line[0]), "c4-c5");
    Position blocked = position;
    blocked.play(open.line[0]);
    CHECK(solve(position, 3, Past(std::vector<Key>{blocked.key})).turns == 3);
    const Solved drawn = solve(position, 3, Past(std::vector<Key>{blocked.key, position.key, blocked.key}));
    CHECK(drawn.verdict != Verdict::Win);
}

TEST(leaving_the_enemy_without_an_action_wins) {
    const Position position = position_of("5/5/4S/5/2SFS - ---- - wdfm 0-0 S");  // T1
    const Solved solved = solve(position, 1);
    CHECK(solved.verdict == Verdict::Win && solved.turns == 1);
}

TEST(the_node_limit_and_the_stop_flag_end_the_search) {
    const Position position = position_of(BeginnerStart);
    const Solved short_of_nodes = solve(position, 7, NoPast, 1000);
    CHECK(short_of_nodes.verdict == Verdict::Unknown);
    CHECK(short_of_nodes.turns >= 1 && short_of_nodes.turns < 7);
    CHECK(short_of_nodes.nodes <= 1000 + 1);
    const std::atomic<bool> stop{true};
    CHECK(Solver(1, stop).solve(position, NoPast, 3, Unlimited).verdict == Verdict::Unknown);
    CHECK(solve(position, 2).verdict == Verdict::NotWithin);
}

TEST(a_key_collision_does_not_transfer_a_proof) {
    ProofTable table(1);
    const Position one = position_of(BeginnerStart);
    Position other = one;
    TokenList tokens;
    one.legal_tokens(tokens);
    other.play(tokens[0]);
    table.note(7, one, Forest, 3, true, tokens[0]);
    CHECK(table.find(7, one) != nullptr);
    CHECK(table.find(7, other) == nullptr);
    table.note(7, other, Forest, 2, false, tokens[0]);
    CHECK_EQUAL(int(table.find(7, one)->proven[Forest]), 3);
    CHECK_EQUAL(int(table.find(7, other)->disproven[Forest]), 2);
    CHECK_EQUAL(int(table.find(7, other)->disproven[Sea]), 0);
}

TEST(the_table_keeps_its_entries_while_it_grows) {
    ProofTable table(64);
    Random random(15);
    std::vector<Position> moments;
    for_each_moment(assorted_positions(15, 60), random, 60, [&](const Position& moment) { moments.push_back(moment); });
    for (const Position& moment : moments)
        table.note(moment.moment_key(), moment, Sea, 1 + int(moment.key % 5), moment.key % 2 == 0, Token(Kind::Pass));
    int found = 0;
    for (const Position& moment : moments) {
        const auto* entry = table.find(moment.moment_key(), moment);
        if (entry == nullptr) continue;
        ++found;
        CHECK_EQUAL(int(moment.key % 2 == 0 ? entry->proven[Sea] : entry->disproven[Sea]), 1 + int(moment.key % 5));
    }
    CHECK(found > int(moments.size()) * 95 / 100);
}

}  // namespace cairn
