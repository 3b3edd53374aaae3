// The 17 powers: can_apply, count and pick agree with the choices, and every power is applied in play.
#include "check.h"
#include "samples.h"
#include "text.h"

namespace cairn {

using namespace testing;

TEST(a_power_can_be_applied_if_and_only_if_it_offers_a_choice) {
    Random random(11);
    std::array<std::array<int, 2>, TileLimit> seen{};
    for_each_moment(assorted_positions(11, 120), random, 40, [&](const Position& position) {
        for_each(position.occupied(), [&](Space stone) {
            const Tribe owner = (position.shamans[Forest] & bit(stone)) != 0 ? Forest : Sea;
            for (int tile = 0; tile < TileLimit; ++tile) {
                // Check only cases that can occur: a tile is activated or copied on a space with a megalith.
                if ((position.megaliths & bit(stone)) == 0) continue;
                if (tile == SH && (position.upcoming[0] == SH || position.upcoming[1] == SH)) continue;
                TokenList tokens;
                Powers::choices(position, Tile(tile), owner, stone, tokens);
                const bool can = Powers::can_apply(position, Tile(tile), owner, stone);
                CHECK_IN(std::string(TileCodes[std::size_t(tile)]) + " on " + write_space(stone) + " in " +
                             write_position(position),
                         can == (tokens.size() > 0));
                CHECK_EQUAL(Powers::count(position, Tile(tile), owner, stone), tokens.size());
                for (bool may_stop : {false, true}) {
                    if (may_stop) tokens.add(Token(Kind::Stop));
                    const auto size = std::uint64_t(tokens.size());
                    for (std::uint64_t index = 0; index < size; ++index) {
                        const auto least = std::uint32_t(((index << 32) + size - 1) / size);
                        CHECK(Powers::pick(position, Tile(tile), owner, stone, may_stop, least) == tokens[int(index)]);
                    }
                }
                ++seen[std::size_t(tile)][can];
            }
        });
    });
    for (int tile = 0; tile < TileLimit; ++tile) {
        CHECK_IN(std::string(TileCodes[std::size_t(tile)]), seen[std::size_t(tile)][1] > 100);
        const bool always = tile == PS || tile == SA || tile == TS || tile == MM;
        CHECK_IN(std::string(TileCodes[std::size_t(tile)]), always == (seen[std::size_t(tile)][0] == 0));
    }
}

TEST(every_power_is_applied_in_play) {
    Random random(12);
    std::array<int, TileLimit> applied{}, copied{};
    std::vector<Position> starts = assorted_positions(12, 1'200);
    for (Position position : starts)
        for (int played = 0; played < 40 && !position.is_over(); ++played) {
            const Token token = position.pick_legal(random.next32());
            if (position.phase == Phase::Power && token.kind() != Kind::Stop) ++applied[position.power];
            if (token.is_copy()) ++copied[token.copied()];
            position.play(token);
        }
    for (int tile = 0; tile < TileLimit; ++tile) {
        const bool without_choice = tile == PS || tile == TS;  // these need a token only if they are copied
        CHECK_IN(std::string(TileCodes[std::size_t(tile)]), without_choice || applied[std::size_t(tile)] > 0);
        CHECK_IN(std::string(TileCodes[std::size_t(tile)]), tile == SH || copied[std::size_t(tile)] > 0);
    }
}

TEST(the_longest_list_of_choices_fits_in_a_token_list) {
    // The Shifting Stone with Sanctuary and Stormwell upcoming, and all other tiles on the field.
    const Position position = position_of(
        "5/5/5/1F3/5 a1CG,c1CD,e1CS,b2SH,d2PS,a3AD,b3HE,c3DR,d3WC,e3MD,b4TS,d4FC,a5HP,c5MM,e5SS SASW - wofm 0-0 F");
    TokenList tokens;
    Powers::choices(position, SH, Forest, read_space("b2"), tokens);
    CHECK(tokens.size() > 105);
    CHECK(tokens.size() < TokenList::Capacity);
}

}  // namespace cairn
