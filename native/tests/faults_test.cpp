// The faults in positions, tokens and records.
#include "faults.h"

#include "check.h"
#include "game.h"
#include "record.h"
#include "samples.h"
#include "text.h"
#include "utf8.h"

namespace cairn {

using namespace testing;

namespace {

// The kinds and fields of the faults, such as "order deck, bad-score scores".
std::string summary(const std::vector<Fault>& faults) {
    std::string text;
    for (const Fault& fault : faults) text += (text.empty() ? "" : ", ") + std::string(fault.kind) + " " + fault.field;
    return text;
}

std::string detail(const Fault& fault, std::string_view name) {
    for (const auto& [key, value] : fault.details)
        if (key == name) return value;
    return "(none)";
}

std::string replaced(std::string text, std::string_view old, std::string_view by) {
    return text.replace(text.find(old), old.size(), by);
}

std::string record_of(std::string_view turns) {
    return "[Position \"" + std::string(BeginnerStart) + "\"]\n\n" + std::string(turns);
}

}  // namespace

TEST(a_position_text_has_faults_if_and_only_if_it_cannot_be_read) {
    Random random(5);
    const std::string_view letters = "FS12345/abcdeADMCRSG-(),wofm 03\n\xc3\xa9";
    int rejected = 0;
    for (const Position& position : assorted_positions(5, 40)) {
        const std::string text = write_position(position);
        CHECK_EQUAL(summary(position_faults(text)), "");
        for (int change = 0; change < 60; ++change) {
            std::string damaged = text;
            const std::size_t place = std::size_t(below(random, int(text.size())));
            damaged.replace(place, std::size_t(below(random, 3)),
                            std::string(std::size_t(below(random, 3)), letters[std::size_t(below(random, 33))]));
            const bool faultless = position_faults(damaged).empty();
            CHECK_IN(damaged, faultless == read_position(damaged).has_value());
            rejected += !faultless;
        }
    }
    CHECK(rejected > 1000);
}

TEST(all_faults_in_a_position_are_reported_in_field_order) {
    const auto faults = position_faults("S1S1S/5/5/5/FFFFF/ b3XX,d3CD DR-- (CSADPSSA) wofx 4-0 X");
    CHECK_EQUAL(summary(faults),
                "row-count shamans, unknown-code megaliths, order deck, faces faces, bad-score scores, active active");
    const std::string start(BeginnerStart);
    CHECK_EQUAL(summary(position_faults(replaced(start, "d3CD", "d3CG"))), "tile-twice tiles");
    CHECK_EQUAL(summary(position_faults(replaced(start, "DRMD", "DR--"))), "empty-slot upcoming");
    CHECK_EQUAL(summary(position_faults(replaced(start, "DRMD", "DR--"), Check::Syntax)), "");
    CHECK_EQUAL(summary(position_faults(std::string(301, 'x'))), "field-count fields");
    CHECK_EQUAL(detail(position_faults(replaced(start, "b3CG", "b3\xc3\xa9\xc3\xa9"))[0], "what"), "\xc3\xa9\xc3\xa9");
}

TEST(a_refusal_gives_the_reason_why_a_token_cannot_be_played) {
    Game game(position_of("F1S1S/5/5/5/2F1F - DRMD - wofm 2-0 F"));
    CHECK_EQUAL(std::string(game.push("nonsense")->kind), "not-a-token");
    CHECK_EQUAL(std::string(game.push("DR:pass")->kind), "not-a-power");
    const auto illegal = game.push("a5-a1");
    CHECK_EQUAL(std::string(illegal->kind), "illegal-token");
    CHECK_EQUAL(detail(*illegal, "phase") + " " + detail(*illegal, "decider"), "action forest");
    CHECK(!game.push("a5-out") && !game.push("=DR"));
    const auto over = game.push("a5-a4");
    CHECK_EQUAL(std::string(over->kind), "game-over");
    CHECK_EQUAL(detail(*over, "winner") + " " + detail(*over, "reason"), "forest score");
    CHECK(game.outcome() == (Outcome{Winner::Forest, Reason::Points}));
}

TEST(a_declared_end_lasts_until_a_token_is_taken_back) {
    Game game(position_of(BeginnerStart));
    CHECK(!game.push("a1-a2") && !game.outcome());
    CHECK(!game.end({Winner::Forest, Reason::Points}));
    CHECK(game.end({Winner::Sea, Reason::Resignation}));
    CHECK(!game.end({Winner::Nobody, Reason::Agreement}));
    CHECK_EQUAL(std::string(game.push("a5-a4")->kind), "game-over");
    game.pop();
    CHECK(!game.outcome() && !game.push("a1-a2"));
}

TEST(records_round_trip_and_report_their_faults) {
    const std::string text = "[Sea \"a \\\"b\\\" \\\\\"]\n[Result \"*\"]\n" +
                             record_of("1 F a1-a2 $1 {towards the circle} {\xc3\xa9}\n2 S a5-b4\n*\n");
    const ReadRecord read = read_record(text);
    CHECK_EQUAL(summary(read.faults), "");
    if (read.record) {
        CHECK_EQUAL(read.record->headers[0].second, "a \"b\" \\");
        CHECK_EQUAL(summary(record_faults(*read.record)), "");
        CHECK_EQUAL(write_record(*read.record), text);
    }
    CHECK_EQUAL(summary(read_record("").faults), "no-position Position, no-result result");
    CHECK_EQUAL(summary(read_record("ab\xff").faults), "not-utf-8 byte");
    CHECK_EQUAL(summary(read_record(record_of("1 F a1-a2\n2 S a5-a1\n*")).faults), "illegal-token turn");
    CHECK_EQUAL(summary(read_record(record_of("1 F a1-a2\nF")).faults), "no-reason Reason");
    CHECK_EQUAL(summary(read_record(record_of("1 F a1-a2 {open\n*")).faults), "open-comment line, no-result result");
    CHECK_EQUAL(read_record(record_of("1 F x x x x x x x x x x x x x x x x x x x x x x")).faults.size(), 20u);
}

TEST(the_first_invalid_utf_8_byte_is_found) {
    CHECK(!find_invalid_utf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
    CHECK_EQUAL(find_invalid_utf8("ab\xc3").value_or(99), 2u);
    CHECK_EQUAL(find_invalid_utf8("a\x80").value_or(99), 1u);
    CHECK_EQUAL(find_invalid_utf8("\xc0\xaf").value_or(99), 0u);
    CHECK_EQUAL(find_invalid_utf8("ab\xed\xa0\x80").value_or(99), 2u);
    CHECK_EQUAL(shorten(std::string(41, 'x')), std::string(37, 'x') + "...");
    CHECK_EQUAL(shorten(std::string(40, 'x')), std::string(40, 'x'));
}

}  // namespace cairn
