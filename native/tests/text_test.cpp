// Positions as text.
#include "text.h"

#include "check.h"
#include "samples.h"

namespace cairn {

using namespace testing;

TEST(positions_round_trip) {
    Random random(2);
    for_each_moment(assorted_positions(2, 60), random, 60, [](const Position& position) {
        if (position.phase != Phase::Action) return;  // position text describes the start of a turn
        const std::string text = write_position(position);
        const auto read = read_position(text);
        CHECK_IN(text, read.has_value());
        if (!read) return;
        CHECK_IN(text, *read == position);
        CHECK_IN(text, read->key == position.key);
        CHECK_IN(text, read->moment_key() == position.moment_key());
        CHECK_IN(text, write_position(*read) == text);
        CHECK_IN(text, read->is_ok());
    });
}

TEST(the_beginner_start_is_read_correctly) {
    const Position position = position_of(BeginnerStart);
    CHECK_EQUAL(position.shamans[Forest], Spaces{0b10101});
    CHECK_EQUAL(position.tile_at[read_space("b3")], CG);
    CHECK_EQUAL(position.upcoming[0], DR);
    CHECK_EQUAL(popcount(position.unknown_deck), 4);
    CHECK_EQUAL(int(position.known_count), 0);
    CHECK_EQUAL(int(position.villages[Sea]), 2);
    CHECK(position.phase == Phase::Action && position.decider == Decider::Forest);
    CHECK_EQUAL(write_position(position), BeginnerStart);
}

TEST(a_position_without_an_action_is_read_as_a_finished_game) {
    const Position position = position_of("5/5/5/3S1/2SFS - ---- - wofm 0-0 F");
    CHECK(position.is_over());
    CHECK(position.winner == Winner::Sea);
    CHECK_EQUAL(position.count_legal(), 0);
}

TEST(malformed_positions_are_rejected) {
    int rejected = 0;
    for (const std::string& line : data_lines("reject.jsonl")) {
        const std::string text = between(line, "{\"text\": \"", "\", \"at\"");
        if (text.find('\\') != std::string::npos) continue;  // escapes need a JSON parser; the Python tests have one
        CHECK_IN(text, !read_position(text));
        ++rejected;
    }
    CHECK(rejected >= 40);
}

TEST(damaged_text_is_rejected_or_read_as_another_valid_position) {
    Random random(3);
    for (const Position& position : assorted_positions(3, 20)) {
        const std::string text = write_position(position);
        for (std::size_t place = 0; place < text.size(); ++place) {
            std::string shorter = text, changed = text;
            shorter.erase(place, 1);
            changed[place] = char(below(random, 256));
            for (const std::string& damaged : {shorter, changed, text.substr(0, place)}) {
                const auto read = read_position(damaged);
                if (read) CHECK_IN(damaged, write_position(*read) == damaged && read->is_ok());
            }
        }
    }
}

}  // namespace cairn
