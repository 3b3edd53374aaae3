// The chances to win within a few turns: they agree with the brute-force search wherever a win is certain or
// impossible.
#include "odds.h"

#include <algorithm>

#include "check.h"
#include "solve.h"
#include "text.h"

namespace cairn {

using namespace testing;

namespace {

constexpr std::uint64_t Enough = 100'000'000;  // nodes
// Forest's only chance within three turns depends on the tile that the Shifting Stone can copy later.
constexpr std::string_view UncertainWin =
    "4F/1S1FS/3SF/2F2/3F1 d1CD,d2HP,b3WC,d3SH MDCG (ADCSDRFCHEMMPSSASSSWTS) bofm 1-1 F";
constexpr std::string_view CertainWin = "5/2F2/5/S3S/5 - ---- - wofm 2-0 F";

}  // namespace

TEST(a_chance_is_between_0_and_1_where_a_tile_decides_and_exact) {
    const auto chances = chances_by_token(*read_position(UncertainWin), Forest, 3, Enough);
    CHECK(chances.has_value());
    const auto best = std::max_element(chances->begin(), chances->end(),
                                       [](const auto& a, const auto& b) { return a.chance < b.chance; });
    CHECK_EQUAL(best->chance, CertainChance / 11 * 5);
}

TEST(a_chance_is_certain_exactly_where_the_solver_proves_a_win) {
    const Position position = *read_position(CertainWin);
    const std::atomic<bool> stop{false};
    for (int turns = 1; turns <= 3; ++turns) {
        const auto chances = chances_by_token(position, Forest, turns, Enough);
        const auto judged = Solver(16, stop).turns_by_token(position, Past({}), Forest, turns, Enough);
        CHECK_EQUAL(chances->size(), judged.size());
        for (std::size_t index = 0; index < judged.size(); ++index) {
            CHECK((*chances)[index].token == judged[index].token);
            CHECK_EQUAL((*chances)[index].chance == CertainChance, *judged[index].turns != 0);
        }
    }
}

TEST(a_search_for_chances_gives_up_at_its_limit) {
    CHECK(!chances_by_token(*read_position(UncertainWin), Forest, 3, 100).has_value());
}

}  // namespace cairn
