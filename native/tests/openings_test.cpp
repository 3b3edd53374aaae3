// The race to the first megalith: its rules agree with the core's, and the solver agrees with a plain search.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "check.h"
#include "openings/checkpoint.h"
#include "openings/core_rules.h"
#include "solve.h"
#include "text.h"

namespace cairn::openings {

using namespace cairn::testing;

namespace {

using After = std::tuple<Cells, Cells, unsigned>;

// Collects the turns for all faces.
struct Collector {
    FaceSet open = AnyFaces;
    FaceSet scoring = 0;
    std::array<std::set<After>, FaceSets> after;

    void score(FaceSet faces) { scoring |= faces; }
    void turn(FaceSet faces, unsigned flips, Cells mine, Cells theirs) {
        for (unsigned number = 0; number < FaceSets; ++number)
            if (faces >> number & 1) after[number].emplace(flip(theirs), flip(mine), number ^ flips);
    }
};

Collector turns_of_race(Cells mine, Cells theirs, int tribe_size = ShamansPerTribe) {
    Collector collector;
    TurnGenerator<true, Collector>(collector, tribe_size).visit(mine, theirs);
    return collector;
}

// Collects the turns for one combination of faces.
struct Turns {
    FaceSet open;
    bool scores = false;
    std::vector<RacePosition> after{};

    void score(FaceSet faces) { scores |= (faces & open) != 0; }
    void turn(FaceSet faces, unsigned flips, Cells mine, Cells theirs) {
        if ((faces & open) != 0) after.push_back({flip(theirs), flip(mine), unsigned(std::countr_zero(open)) ^ flips});
    }
};

// Whether the tribe to move wins the race within a number of turns, or loses it if not `wins`, by a plain search.
bool ends_plainly(const RacePosition& position, bool wins, int turns, int tribe_size) {
    if (wins && turns == 0) return false;
    Turns found{FaceSet(1u << position.faces)};
    TurnGenerator<true, Turns>(found, tribe_size).visit(position.mine, position.theirs);
    if (found.scores) return wins;
    if (found.after.empty()) return !wins;  // T1
    if (turns == 0) return false;
    const auto helps = [&](const RacePosition& after) { return ends_plainly(after, !wins, turns - 1, tribe_size); };
    return wins ? std::any_of(found.after.begin(), found.after.end(), helps)
                : std::all_of(found.after.begin(), found.after.end(), helps);
}

}  // namespace

TEST(the_rules_of_the_race_agree_with_the_core) {
    Random random(1);
    int scoring = 0, chains = 0, transformed = 0;
    for (int round = 0; round < 20'000; ++round) {
        const RacePosition position = random_race(random);
        const TurnsOfCore expected = turns_of_core(position);
        const Collector found = turns_of_race(position.mine, position.theirs);
        std::set<After> after;
        for (const RacePosition& each : expected.after) after.emplace(each.mine, each.theirs, each.faces);
        CHECK_IN(write_race(position), (found.scoring >> position.faces & 1) == expected.scores);
        CHECK_IN(write_race(position), found.after[position.faces] == after);
        scoring += expected.scores;
        for (const auto& [mine, theirs, faces] : after) {
            transformed += ((faces ^ position.faces) & TransformEnd) != 0;
            chains += popcount(theirs) > popcount(position.mine) + 1 || popcount(mine) < popcount(position.theirs);
        }
    }
    CHECK(scoring > 1'000 && chains > 1'000 && transformed > 100);
}

TEST(a_start_of_the_race_is_the_beginner_start) {
    for (unsigned faces : {0u, 5u, 15u}) {
        const auto position = read_position(write_race(start_with(faces)));
        CHECK(position.has_value());
        CHECK(write_position(*position).starts_with("S1S1S/5/5/5/F1F1F b3CG,d3CD "));
        CHECK(position->faces == faces);
    }
}

TEST(sets_are_numbered_without_gaps) {
    for (Cells area : {AllCells, AllCells & ~FarRow, Cells{0b1011000110100101100101101}}) {
        const SetNumbers numbers(area);
        Spread spread;
        spread.reset(area);
        std::uint32_t expected = 0;
        for (Cells places : sets_of_places(popcount(area), ShamansPerTribe)) {
            const Cells set = spread(places);
            CHECK((set & ~area) == 0 && popcount(set) == popcount(places));
            CHECK(numbers(set) == expected && set_number(area, set) == expected);
            ++expected;
        }
        CHECK_EQUAL(expected, choose_up_to(popcount(area), ShamansPerTribe));
    }
}

TEST(the_first_megalith_ends_a_game_at_two_all) {
    const std::atomic<bool> stop{false};
    std::map<Verdict, int> verdicts;
    Random random(3);
    for (int round = 0; round < 300; ++round) {
        const RacePosition position = random_race(random);
        const Position game = read_position(write_race(position)).value();
        if (game.is_over()) continue;
        const Solved solved = Solver(1, stop).solve(game, Past{std::vector<Key>()}, 3, 200'000);
        if (solved.verdict == Verdict::Unknown) continue;
        ++verdicts[solved.verdict];
        for (int turns = 1; turns <= solved.turns; ++turns) {
            const bool ends = solved.verdict != Verdict::NotWithin && turns == solved.turns;
            const bool won = ends_plainly(position, true, turns, ShamansPerTribe);
            const bool lost = ends_plainly(position, false, turns, ShamansPerTribe);
            CHECK_IN(write_race(position), won == (ends && solved.verdict == Verdict::Win));
            CHECK_IN(write_race(position), lost == (ends && solved.verdict == Verdict::Loss));
        }
    }
    CHECK(verdicts[Verdict::Win] > 50 && verdicts[Verdict::Loss] > 10 && verdicts[Verdict::NotWithin] > 10);
}

// With tribes of two shamans the tables are small, and the rules are the same.
TEST(the_solver_of_the_race_finds_the_exact_number_of_turns) {
    constexpr int TribeSize = 2, Turns = 5;
    Random random(2);
    std::vector<RacePosition> positions;
    while (positions.size() < 200) {
        const RacePosition position = random_race(random);
        if (std::max(popcount(position.mine), popcount(position.theirs)) <= TribeSize) positions.push_back(position);
    }
    RaceSolver solver(TribeSize);
    std::map<int, int> found;
    for (int turns = 0; turns <= Turns; ++turns) {
        const std::uint64_t open = solver.open();
        solver.run_pass(2, 3);
        CHECK_EQUAL(solver.turns(), turns);
        CHECK_EQUAL(open - solver.open(), solver.decided());
        for (const RacePosition& position : positions) {
            const RaceResult result = solver.result(position);
            CHECK_IN(write_race(position),
                     (result == RaceResult::Win) == ends_plainly(position, true, turns, TribeSize));
            CHECK_IN(write_race(position),
                     (result == RaceResult::Loss) == ends_plainly(position, false, turns, TribeSize));
            found[turns] += result != RaceResult::Open;
        }
        for (const Sample& sample : solver.samples())
            CHECK(solver.result(sample.position) == (turns % 2 != 0 ? RaceResult::Win : RaceResult::Loss));
    }
    CHECK(found[1] > found[0] && found[2] > found[1] && found[3] > found[2] && found[5] > found[3]);
}

TEST(the_solver_of_the_race_gives_the_same_results_with_any_threads_and_after_a_restart) {
    const auto folder = std::filesystem::temp_directory_path() / "cairn-openings-test";
    std::filesystem::create_directories(folder);
    const std::string path = (folder / "tables.bin").string();
    std::filesystem::remove(path);
    RaceSolver whole(2), first(2), second(2);
    CHECK(!restore(second, path));
    while (!whole.is_complete()) whole.run_pass(1, 5);
    while (first.turns() < 4) first.run_pass(3, 5);
    save(first, path);
    CHECK(restore(second, path));
    CHECK(second.header() == first.header());
    while (!second.is_complete()) second.run_pass(2, 5);
    CHECK(second.header() == whole.header());
    const auto expected = whole.state(), found = second.state();
    for (std::size_t part = 0; part < expected.size(); ++part)
        CHECK(std::equal(expected[part].begin(), expected[part].end(), found[part].begin(), found[part].end()));

    // Damage is detected.
    {
        std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(5'000);
        file.put('x');
    }
    bool refused = false;
    try {
        RaceSolver third(2);
        restore(third, path);
    } catch (const std::runtime_error&) {
        refused = true;
    }
    CHECK(refused);
    std::filesystem::remove_all(folder);
}

}  // namespace cairn::openings
