// Perft counts, compared with counts from another implementation.
#include "perft.h"

#include <charconv>

#include "check.h"
#include "samples.h"
#include "text.h"

namespace cairn {

using namespace testing;

namespace {

std::vector<std::uint64_t> numbers_in(std::string_view text) {
    std::vector<std::uint64_t> numbers;
    const char* const end = text.data() + text.size();
    for (const char* place = text.data(); place < end;) {
        std::uint64_t number = 0;
        const auto [next, error] = std::from_chars(place, end, number);
        if (error == std::errc()) numbers.push_back(number);
        place = error == std::errc() ? next : place + 1;
    }
    return numbers;
}

}  // namespace

TEST(perft_of_the_beginner_start_matches_known_counts) {
    Position position = position_of(BeginnerStart);
    const std::array<std::uint64_t, 6> expected{1, 8, 43, 336, 2442, 19301};
    for (std::size_t depth = 0; depth < expected.size(); ++depth)
        CHECK_EQUAL(perft(position, int(depth)), expected[depth]);
}

TEST(perft_of_a_finished_game_counts_no_tokens) {
    Position position = position_of("5/5/5/3S1/2SFS - ---- - wofm 0-0 F");
    CHECK_EQUAL(perft(position, 0), 1u);
    CHECK_EQUAL(perft(position, 1), 0u);
    CHECK_EQUAL(perft(position, 3), 0u);
}

TEST(perft_matches_every_vector) {
    int counts = 0;
    for (const std::string& line : data_lines("perft.jsonl")) {
        Position position = position_of(between(line, "\"position\": \"", "\""));
        int depth = 0;
        for (std::uint64_t expected : numbers_in(between(line, "\"perft\": [", "]"))) {
            CHECK_IN(line, perft(position, ++depth) == expected);
            ++counts;
        }
    }
    CHECK(counts > 300);
}

TEST(perft_counts_like_position_play) {
    Random random(13);
    std::array<int, 6> seen{};  // by phase
    for_each_moment(assorted_positions(13, 25), random, 30, [&](const Position& position) {
        const std::string text = write_position(position);
        for (int depth = 0; depth <= 2; ++depth) CHECK_IN(text, perft(position, depth) == plain_perft(position, depth));
        ++seen[std::size_t(position.phase)];
    });
    for (int moments : seen) CHECK(moments > 20);

    for (const Position& position : assorted_positions(14, 5))
        CHECK_IN(write_position(position), perft(position, 4) == plain_perft(position, 4));
}

}  // namespace cairn
