// Playing, undoing, and all incrementally updated state.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "actions.h"
#include "check.h"
#include "playout.h"
#include "samples.h"
#include "text.h"

namespace cairn {

using namespace testing;

namespace {

using Bytes = std::array<std::byte, sizeof(Position)>;
static_assert(std::is_trivially_copyable_v<Position>);

Bytes bytes_of(const Position& position) {
    Bytes bytes;
    std::memcpy(bytes.data(), &position, sizeof(Position));
    return bytes;
}

TokenList legal(const Position& position) {
    TokenList tokens;
    position.legal_tokens(tokens);
    return tokens;
}

}  // namespace

TEST(undo_restores_every_byte) {
    Random random(4);
    for_each_moment(assorted_positions(4, 40), random, 80, [](Position& position) {
        const Bytes before = bytes_of(position);
        const std::string text = write_position(position);
        for (Token token : legal(position)) {
            Undo undo;
            position.play(token, undo);
            CHECK_IN(text + " " + write_token(token), position.is_ok());
            position.undo(undo);
            CHECK_IN(text + " " + write_token(token), bytes_of(position) == before);
        }
        CHECK_EQUAL(write_position(position), text);
    });
}

TEST(whole_games_can_be_undone) {
    Random random(5);
    for (const Position& start : assorted_positions(5, 40)) {
        Position position = start;
        std::vector<Undo> undos;
        std::vector<Bytes> moments;
        while (!position.is_over() && undos.size() < 400) {
            moments.push_back(bytes_of(position));
            position.play(position.pick_legal(random.next32()), undos.emplace_back());
        }
        for (; !undos.empty(); undos.pop_back(), moments.pop_back()) {
            position.undo(undos.back());
            CHECK(bytes_of(position) == moments.back());
        }
        CHECK(position == start);
    }
}

TEST(the_incremental_key_equals_a_fresh_one) {
    Random random(6);
    for_each_moment(assorted_positions(6, 200), random, 100, [](const Position& position) {
        CHECK_IN(write_position(position), position.key == position.fresh_key());
        CHECK_IN(write_position(position), position.is_ok());
    });
}

TEST(legal_tokens_are_distinct_and_match_their_count) {
    Random random(7);
    for_each_moment(assorted_positions(7, 150), random, 100, [](const Position& position) {
        const TokenList tokens = legal(position);
        const std::string text = write_position(position);
        CHECK_IN(text, position.count_legal() == tokens.size());
        CHECK_IN(text, (tokens.size() == 0) == position.is_over());
        std::vector<std::uint32_t> codes;
        for (Token token : tokens) codes.push_back(token.code());
        std::sort(codes.begin(), codes.end());
        CHECK_IN(text, std::adjacent_find(codes.begin(), codes.end()) == codes.end());  // each token once
    });
}

TEST(an_action_is_found_if_and_only_if_it_is_legal) {
    Random random(16);
    const std::vector<Token> every = every_token();
    int actions = 0;
    for_each_moment(assorted_positions(16, 6), random, 12, [&](const Position& position) {
        if (position.phase != Phase::Action) return;
        const TokenList tokens = legal(position);
        const ActionSets sets(position, position.active);
        int found = 0;
        for (Token token : every) found += sets.find(token).has_value();
        CHECK_IN(write_position(position), found == tokens.size());
        for (Token token : tokens) {
            const auto same = sets.find(Token(token.code()));
            CHECK_IN(write_position(position), same && *same == token && same->flips() == token.flips());
        }
        actions += found;
    });
    CHECK(actions > 1'000);
}

TEST(every_legal_token_is_picked_equally_often) {
    constexpr std::uint64_t Share = 64;
    Random random(8);
    for_each_moment(assorted_positions(8, 20), random, 60, [](const Position& position) {
        const TokenList tokens = legal(position);
        if (tokens.size() == 0) return;
        // With numbers spread evenly over the whole range, each token gets its share, except for rounding at both ends.
        const std::uint64_t numbers = Share * std::uint64_t(tokens.size());
        std::vector<std::uint64_t> picked(std::size_t(tokens.size()));
        for (std::uint64_t number = 0; number < numbers; ++number) {
            const Token token = position.pick_legal(std::uint32_t((number << 32) / numbers));
            const Token* found = std::find(tokens.begin(), tokens.end(), token);
            CHECK_IN(write_position(position), found != tokens.end());
            if (found == tokens.end()) return;
            CHECK_IN(write_position(position), found->flips() == token.flips());
            ++picked[std::size_t(found - tokens.begin())];
        }
        for (std::uint64_t times : picked) CHECK_IN(write_position(position), times >= Share - 1 && times <= Share + 1);
        CHECK(std::find(tokens.begin(), tokens.end(), position.pick_legal(~std::uint32_t{0})) != tokens.end());
    });
}

TEST(playouts_end_and_the_same_seed_repeats_them) {
    for (const Position& start : assorted_positions(9, 10)) {
        const PlayoutTally tally = random_playouts(start, 20, 9, 100'000);
        CHECK_IN(write_position(start), tally.results[0] == 0);  // all games end long before the limit
        CHECK_EQUAL(tally.results[1] + tally.results[2], 20u);
        const PlayoutTally again = random_playouts(start, 20, 9, 100'000);
        CHECK(tally.tokens == again.tokens && tally.results == again.results);
        CHECK_EQUAL(random_playouts(start, 20, 9, 3).tokens <= 60, true);
    }
}

TEST(only_equal_moments_have_equal_keys) {
    Random random(10);
    std::vector<Position> moments;
    for_each_moment(assorted_positions(10, 4), random, 40,
                    [&](const Position& position) { moments.push_back(position); });
    for (const Position& one : moments)
        for (const Position& other : moments) CHECK((one == other) == (one.moment_key() == other.moment_key()));
}

TEST(a_chain_in_progress_is_part_of_the_moment) {
    // The table and the phase are the same, but in the second line of play, the Menhir has already been used (P6).
    Position first = position_of("S1S1S/5/5/1F3/4F b3MD,c3CS DRAD (CDCGPSSA) wofm 0-0 F"), second = first;
    const auto play = [](Position& position, std::initializer_list<const char*> texts) {
        for (const char* text : texts)
            for (Token token : legal(position))
                if (write_token(token) == text) {
                    position.play(token);
                    break;
                }
    };
    play(first, {"b2-b3"});
    play(second, {"b2-b3", "b3-c3", "c3-b3"});
    CHECK_EQUAL(write_position(first), write_position(second));
    CHECK(first.phase == Phase::Power && second.phase == Phase::Power);
    CHECK(!(first == second));
    CHECK(first.moment_key() != second.moment_key());
    CHECK_EQUAL(second.count_legal(), first.count_legal() + 1);  // the stop token
}

}  // namespace cairn
