#include "batch/batch.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "check.h"
#include "samples.h"
#include "text.h"

namespace cairn {

using namespace testing;

namespace {

BatchSettings settings_with(int games, Autoreset autoreset = Autoreset::NextStep) {
    BatchSettings settings;
    settings.games = games;
    settings.seed = 5;
    settings.variant.reset();
    settings.autoreset = autoreset;
    settings.outputs = Observations | ByteMasks | BitMasks;
    return settings;
}

bool same_frames(const Frame& one, const Frame& other) {
    return one.observations == other.observations && one.final_observations == other.final_observations &&
           one.masks == other.masks && one.bits == other.bits && one.legal == other.legal &&
           one.counts == other.counts && one.choices == other.choices && one.deciders == other.deciders &&
           one.rewards == other.rewards && one.terminations == other.terminations &&
           one.truncations == other.truncations && one.illegal == other.illegal;
}

// Checks that masks, bits and lists agree with the position.
void check_legal(const Batch& batch, int game) {
    const Frame& frame = batch.frame();
    const auto row = std::size_t(game);
    const std::int16_t* list = frame.legal.data() + row * Frame::ListLength;
    const int count = frame.counts[row];
    std::set<int> expected;
    if (frame.terminations[row] == 0 && frame.truncations[row] == 0) {
        const LegalIds legal(batch.position(game));
        expected.insert(legal.begin(), legal.end());
    }
    CHECK(expected == std::set<int>(list, list + count));
    CHECK(std::all_of(list + count, list + Frame::ListLength, [](int id) { return id == -1; }));
    for (int id = 0; id < token_id::Count; ++id) {
        const bool legal = expected.contains(id);
        const auto index = std::size_t(id);
        CHECK(frame.masks[row * token_id::Count + index] == legal);
        CHECK((frame.bits[row * Frame::MaskWords + index / 64] >> (index % 64) & 1) == legal);
    }
}

}  // namespace

TEST(masks_bits_and_lists_agree) {
    Batch batch(settings_with(6));
    for (int step = 0; step < 150; ++step) {
        batch.step_random();
        for (int game = 0; game < 6; ++game) check_legal(batch, game);
    }
}

TEST(any_number_of_threads_plays_the_same_games) {
    for (Autoreset autoreset : {Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled}) {
        BatchSettings settings = settings_with(7, autoreset);
        Batch alone(settings);
        settings.threads = 3;
        Batch together(settings);
        CHECK(same_frames(alone.frame(), together.frame()));
        for (int step = 0; step < 300; ++step) {
            alone.step_random();
            together.step_random();
            CHECK(same_frames(alone.frame(), together.frame()));
        }
    }
}

TEST(a_batch_plays_the_rules) {
    BatchSettings settings = settings_with(5);
    settings.chooses_draws = true;
    Batch batch(settings);
    Random random(3);
    std::vector<Position> games;
    for (int game = 0; game < 5; ++game) games.push_back(batch.position(game));
    int ended = 0;
    for (int step = 0; step < 600; ++step) {
        std::vector<std::int32_t> ids(5, 0);
        for (std::size_t game = 0; game < 5; ++game) {
            const int count = batch.frame().counts[game];
            if (count == 0) continue;
            ids[game] = batch.frame().legal[game * Frame::ListLength + std::size_t(below(random, count))];
            games[game].play(*decode(games[game], ids[game]));
        }
        const std::vector<std::uint8_t> finished = batch.frame().terminations;
        CHECK_EQUAL(batch.step(ids.data()), -1);
        for (std::size_t game = 0; game < 5; ++game) {
            const Position& now = batch.position(int(game));
            if (finished[game] != 0) {
                CHECK(batch.frame().terminations[game] == 0);
                games[game] = now;  // a new game
                continue;
            }
            CHECK(now == games[game]);
            if (!now.is_over()) continue;
            ++ended;
            const bool forest_won = now.winner == Winner::Forest;
            CHECK(batch.frame().terminations[game] == 1);
            CHECK_EQUAL(batch.frame().rewards[2 * game], forest_won ? 1.0f : -1.0f);
            CHECK_EQUAL(batch.frame().rewards[2 * game + 1], forest_won ? -1.0f : 1.0f);
            CHECK(batch.frame().deciders[game] == std::uint8_t(Decider::None));
        }
    }
    CHECK(ended > 10);
}

TEST(autoreset_deals_a_new_game_at_the_right_step) {
    for (Autoreset autoreset : {Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled}) {
        Batch batch(settings_with(3, autoreset));
        bool ended = false;
        for (int step = 0; step < 1000 && !ended; ++step) {
            batch.step_random();
            ended = batch.frame().terminations[0] != 0;
        }
        CHECK(ended);
        const bool restarted = batch.tokens(0) == 0;
        CHECK_EQUAL(restarted, autoreset == Autoreset::SameStep);
        CHECK_EQUAL(batch.frame().counts[0] != 0, restarted);
        const std::string end = write_position(batch.position(0));
        batch.step_random();
        if (autoreset == Autoreset::NextStep) CHECK(batch.tokens(0) == 0 && batch.frame().terminations[0] == 0);
        if (autoreset == Autoreset::SameStep) CHECK(batch.tokens(0) > 0 && batch.frame().terminations[0] == 0);
        if (autoreset != Autoreset::Disabled) continue;
        CHECK(write_position(batch.position(0)) == end && batch.frame().terminations[0] == 1);
        const std::vector<std::uint8_t> chosen{1, 0, 0};
        const std::string other = write_position(batch.position(1));
        batch.reset_games(chosen.data());
        CHECK(batch.tokens(0) == 0 && batch.frame().terminations[0] == 0 && batch.frame().counts[0] > 0);
        CHECK(write_position(batch.position(1)) == other);
    }
}

TEST(an_illegal_choice_is_an_error_or_costs_something) {
    BatchSettings settings = settings_with(2);
    Batch strict(settings);
    std::vector<std::int32_t> ids{strict.frame().legal[0], token_id::Pass};
    const std::string before = write_position(strict.position(0));
    CHECK_EQUAL(strict.step(ids.data()), 1);
    CHECK_EQUAL(write_position(strict.position(0)), before);

    settings.is_strict = false;
    Batch lenient(settings);
    const std::string unchanged = write_position(lenient.position(1));
    const auto decider = std::size_t(lenient.frame().deciders[1]);
    ids[0] = lenient.frame().legal[0];
    CHECK_EQUAL(lenient.step(ids.data()), -1);
    CHECK_EQUAL(write_position(lenient.position(1)), unchanged);
    CHECK(lenient.frame().illegal[0] == 0 && lenient.frame().illegal[1] == 1);
    CHECK_EQUAL(lenient.frame().rewards[2 + decider], settings.illegal_reward);
    CHECK(lenient.frame().terminations[1] == 0 && lenient.frame().counts[1] > 0);
    for (int id : {-1, token_id::Count, 1 << 30}) {
        ids[1] = id;
        CHECK_EQUAL(lenient.step(ids.data()), -1);
        CHECK(lenient.frame().illegal[1] == 1);
    }
}

TEST(a_third_repetition_ends_a_game_of_a_batch) {
    Batch batch(settings_with(1));
    const Position start = position_of("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F");
    CHECK(batch.place(0, start));
    // Both tribes move a shaman forth and back; the move tile shows the same face again after two turns.
    const std::array<const char*, 4> tokens{"a1-a2", "a5-b4", "a2-a1", "b4-a5"};
    int played = 0;
    for (; batch.frame().terminations[0] == 0 && played < 40; ++played) {
        Position now = batch.position(0);
        TokenList legal;
        now.legal_tokens(legal);
        const auto wanted = read_token(tokens[std::size_t(played) % tokens.size()]);
        if (std::find(legal.begin(), legal.end(), *wanted) == legal.end()) break;
        const std::int32_t id = encode(now, *wanted);
        CHECK_EQUAL(batch.step(&id), -1);
    }
    CHECK(batch.frame().terminations[0] == 1);
    CHECK_EQUAL(batch.frame().rewards[0], 0.0f);
    CHECK_EQUAL(batch.frame().counts[0], std::int16_t{0});
}

TEST(long_games_are_truncated) {
    BatchSettings settings = settings_with(4, Autoreset::SameStep);
    settings.longest_game = 10;
    Batch batch(settings);
    int truncated = 0;
    for (int step = 0; step < 100; ++step) {
        batch.step_random();
        for (std::size_t game = 0; game < 4; ++game) {
            truncated += batch.frame().truncations[game];
            CHECK(batch.tokens(int(game)) < 10);
        }
    }
    CHECK(truncated > 20);
}

TEST(settings_out_of_range_are_named) {
    BatchSettings settings;
    CHECK(settings.fault().empty());
    settings.games = 0;
    CHECK_EQUAL(settings.fault(), std::string_view("games"));
    settings = {};
    settings.threads = 0;
    CHECK_EQUAL(settings.fault(), std::string_view("threads"));
    settings = {};
    settings.longest_game = -1;
    CHECK_EQUAL(settings.fault(), std::string_view("longest_game"));
    settings = {};
    settings.outputs = 8;
    CHECK_EQUAL(settings.fault(), std::string_view("outputs"));
}

}  // namespace cairn
