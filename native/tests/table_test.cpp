// The transposition table.
#include "table.h"

#include <chrono>

#include "check.h"
#include "samples.h"

namespace cairn {

using namespace testing;

TEST(a_cleared_table_equals_a_new_one) {
    Table used(1);
    for (std::uint64_t round = 0; round < 6; ++round) {
        Table fresh(1);
        used.clear();
        // The same keys in every round, more than the table has entries: entries from before the last clearing must
        // neither be found nor survive where a new table has room.
        Random random(7);
        for (int index = 0; index < 100'000; ++index) {
            const Key key = random.next() % 200'000;
            const Finding finding{below(random, 500), below(random, 12), Bound::Exact, std::uint32_t(round)};
            used.store(key, finding);
            fresh.store(key, finding);
        }
        for (Key key = 0; key < 200'000; ++key) {
            const auto one = used.find(key), other = fresh.find(key);
            CHECK_EQUAL(one.has_value(), other.has_value());
            if (one && other) CHECK(one->score == other->score && one->token_code == std::uint32_t(round));
        }
        CHECK_EQUAL(used.fullness(), fresh.fullness());
    }
}

// A low level clears its table twice for a search of a few hundred nodes. Writing 64 MB takes more than a millisecond.
TEST(clearing_takes_no_longer_for_a_large_table) {
    Table table(64);
    table.store(1, {7, 3, Bound::Exact, 5});
    const auto begin = std::chrono::steady_clock::now();
    for (int round = 0; round < 10'000; ++round) table.clear();
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
    CHECK(!table.find(1));
}

// The number of clearings that entries can tell apart is limited. After that, the table is really erased.
TEST(entries_do_not_return_after_many_clearings) {
    Table table(1);
    table.store(1, {7, 3, Bound::Exact, 5});
    for (int round = 0; round < 40'000; ++round) {
        table.clear();
        if (table.find(1)) return fail(__FILE__, __LINE__, "an entry returned");
    }
}

}  // namespace cairn
