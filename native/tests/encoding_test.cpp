#include "encoding.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <set>
#include <string>

#include "check.h"
#include "samples.h"
#include "text.h"

namespace cairn {

using namespace testing;

namespace {

using Observation = std::array<std::uint8_t, observed::Size>;

Observation observation_of(const Position& position, Tribe viewer) {
    Observation observation;
    observe(position, viewer, 0, observation.data());
    return observation;
}

Space turned(Space space) { return make_space(Columns - 1 - column_of(space), Rows - 1 - row_of(space)); }

// The same table with the tribes exchanged, at the start of a turn, seen from the other side.
Position half_turn(const Position& position) {
    Position other;
    for (Tribe tribe : {Forest, Sea}) {
        for_each(position.shamans[tribe], [&](Space space) { other.place_shaman(enemy_of(tribe), turned(space)); });
        other.scores[enemy_of(tribe)] = position.scores[tribe];
    }
    for_each(position.megaliths, [&](Space space) { other.place_megalith(position.tile_at[space], turned(space)); });
    other.upcoming = position.upcoming;
    other.unknown_deck = position.unknown_deck;
    other.known_deck = position.known_deck;
    other.known_count = position.known_count;
    other.faces = position.faces;
    other.active = enemy_of(position.active);
    other.key = other.fresh_key();
    other.begin_turn();
    return other;
}

}  // namespace

TEST(every_legal_token_has_one_id_and_every_id_its_token) {
    Random random(7);
    for_each_moment(assorted_positions(7, 60), random, 200, [](const Position& position) {
        TokenList tokens;
        position.legal_tokens(tokens);
        std::bitset<token_id::Count> seen;
        for (Token token : tokens) {
            const int id = encode(position, token);
            CHECK_IN(write_position(position), id >= 0 && id < token_id::Count && !seen[std::size_t(id)]);
            CHECK_IN(write_position(position), (id >= token_id::Actions) == (position.decider == Decider::Chance));
            seen.set(std::size_t(id));
            const auto back = decode(position, id);
            CHECK_IN(write_position(position) + " " + write_token(token), back && back->bits() == token.bits());
        }
        const LegalIds legal(position);
        CHECK_EQUAL(legal.size(), tokens.size());
        for (std::uint16_t id : legal) CHECK(seen[id]);
    });
}

TEST(ids_without_a_token_are_rejected) {
    const Position position = position_of("S1S1S/5/5/5/F1F1F b3CG,d3CD ---- - wofm 0-0 F");
    for (int id : {-1, token_id::Count, token_id::Build, token_id::Build + 1, token_id::Put, token_id::Copy,
                   token_id::Copy + token_id::Choices, token_id::Use, token_id::Use + 1})
        CHECK(!decode(position, id));
    int pushes = 0;  // a megalith cannot be pushed off the field
    for (int number = 0; number < token_id::Directions * token_id::Places; ++number)
        pushes += decode(position, token_id::Push + number).has_value();
    CHECK_EQUAL(pushes, 144);
}

TEST(both_tribes_see_the_same_numbers) {
    Random random(8);
    for (Position forest : assorted_positions(8, 40)) {
        Position sea = half_turn(forest);
        for (int played = 0; played < 200; ++played) {
            for (Tribe viewer : {Forest, Sea})
                CHECK(observation_of(forest, viewer) == observation_of(sea, enemy_of(viewer)));
            const LegalIds legal(forest), turned_legal(sea);
            const std::set<int> ids(legal.begin(), legal.end());
            CHECK_IN(write_position(forest), ids == std::set<int>(turned_legal.begin(), turned_legal.end()));
            if (legal.size() == 0) break;
            const int id = legal[below(random, legal.size())];
            forest.play(*decode(forest, id));
            sea.play(*decode(sea, id));
        }
    }
}

TEST(an_observation_begins_with_the_inputs_of_the_network) {
    Random random(9);
    for_each_moment(assorted_positions(9, 20), random, 100, [](const Position& position) {
        if (position.is_over()) return;
        for (Tribe viewer : {Forest, Sea}) {
            const Observation observation = observation_of(position, viewer);
            std::array<std::uint8_t, input::Count> inputs{};
            for (std::uint16_t index : inputs_of(position, viewer)) inputs[index] = 1;
            CHECK(std::equal(inputs.begin(), inputs.begin() + input::Things, observation.begin()));
        }
    });
}

TEST(observations_differ_exactly_if_moments_differ) {
    Random random(10);
    std::vector<std::pair<Position, Observation>> seen;
    for_each_moment(assorted_positions(10, 4), random, 60, [&](const Position& position) {
        seen.emplace_back(position, observation_of(position, Forest));
        TokenList tokens;  // all next moments, which differ in little
        position.legal_tokens(tokens);
        for (Token token : tokens) {
            Position next = position;
            next.play(token);
            seen.emplace_back(next, observation_of(next, Forest));
        }
    });
    // Compare neighbours in the order of their observations, and the others with the moments near them.
    std::sort(seen.begin(), seen.end(), [](const auto& one, const auto& other) { return one.second < other.second; });
    int equal = 0;
    for (std::size_t index = 1; index < seen.size(); ++index) {
        const auto& [position, observation] = seen[index];
        const auto& [before, observation_before] = seen[index - 1];
        CHECK_IN(write_position(position), (position == before) == (observation == observation_before));
        equal += position == before;
    }
    CHECK(equal > 0);
}

TEST(a_finished_game_shows_no_score_of_three) {
    Random random(11);
    int finished = 0;
    for_each_moment(assorted_positions(11, 20), random, 400, [&](const Position& position) {
        if (!position.is_over()) return;
        const Observation observation = observation_of(position, Forest);
        for (Tribe tribe : {Forest, Sea}) {
            const int first = tribe == Forest ? input::OwnScore : input::EnemyScore;
            for (int score = 0; score < PointsToWin; ++score)
                CHECK_EQUAL(int(observation[std::size_t(first + score)]), int(position.scores[tribe] == score));
        }
        ++finished;
    });
    CHECK(finished > 10);
}

TEST(the_groups_cover_all_numbers) {
    for (const auto& [groups, size] :
         {std::pair(token_groups(), token_id::Count), std::pair(observation_groups(), int(observed::Size))}) {
        int next = 0;
        for (const EncodingGroup& group : groups) {
            CHECK_EQUAL(group.first, next);
            CHECK(group.count > 0);
            next += group.count;
        }
        CHECK_EQUAL(next, size);
    }
    CHECK(token_id::Count <= 4500);
}

}  // namespace cairn
