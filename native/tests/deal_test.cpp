// The start of a game.
#include "deal.h"

#include <algorithm>

#include "check.h"
#include "samples.h"
#include "text.h"

namespace cairn {

using namespace testing;

TEST(tiles_are_dealt_in_the_given_order) {
    const std::array<Tile, 8> beginner{SA, CD, DR, MD, CG, AD, PS, CS};
    const auto start = deal(Variant::Beginner, beginner, 0, Forest);
    CHECK_EQUAL(write_position(*start), "S1S1S/5/5/5/F1F1F b3CG,d3CD SADR (ADCSMDPS) wofm 0-0 F");
    const auto all = tiles_of(Variant::Expert);
    std::vector<Tile> order(all.begin(), all.end());
    std::reverse(order.begin(), order.end());
    CHECK_EQUAL(write_position(*deal(Variant::Expert, order, 15, Sea)),
                "S1S1S/5/5/5/F1F1F b3HE,d3SH WCSS (ADCDCGCSDRFCHPMDMMPSSASWTS) bdee 0-0 S");
    CHECK(deal(Variant::Expert, order, 0, Sea)->is_ok());
}

TEST(an_order_must_contain_every_tile_exactly_once) {
    const std::array<Tile, 8> twice{SA, SA, DR, MD, CG, AD, PS, CS};
    CHECK(!deal(Variant::Beginner, twice, 0, Forest));
    CHECK(!deal(Variant::Standard, tiles_of(Variant::Beginner), 0, Forest));
    CHECK(!deal(Variant::Beginner, {}, 0, Forest));
    CHECK_EQUAL(tiles_of(Variant::Beginner).size(), 8u);
    CHECK_EQUAL(tiles_of(Variant::Standard).size(), 14u);
}

}  // namespace cairn
