// Choices: every legal token can be selected by picking, without ambiguity.
#include "choices.h"

#include <algorithm>
#include <set>

#include "check.h"
#include "samples.h"
#include "text.h"

namespace cairn {

using namespace testing;

namespace {

std::string shown(const Choice& choice) {
    std::string text;
    for (const Path& path : choice.paths()) {
        if (!text.empty()) text += " | ";
        for (Pick pick : path) text += (pick == path.front() ? "" : " ") + write_pick(pick);
    }
    return text;
}

// The paths of one token, as text.
std::string paths_of(std::string_view position, std::initializer_list<std::string_view> tokens, std::string_view last) {
    Position now = position_of(position);
    const auto legal_token = [&](std::string_view text) {
        for (Choice choice : list_choices(now))
            if (write_token(choice.token()) == text) return choice;
        fail(__FILE__, __LINE__, "not legal: " + std::string(text));
        return Choice(0);
    };
    for (std::string_view text : tokens) {
        TokenList legal;
        now.legal_tokens(legal);
        now.play(*std::find(legal.begin(), legal.end(), legal_token(text).token()));
    }
    return shown(legal_token(last));
}

bool extends(const Path& path, const Path& prefix) {
    return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

}  // namespace

TEST(a_complete_path_identifies_one_token) {
    Random random(1);
    std::set<Kind> kinds;
    int copies = 0;
    for_each_moment(assorted_positions(1, 120), random, 60, [&](const Position& position) {
        const std::vector<Choice> choices = list_choices(position);
        CHECK_EQUAL(int(choices.size()), position.decider > Decider::Sea ? 0 : position.count_legal());
        std::vector<Path> paths;
        for (Choice choice : choices) {
            kinds.insert(choice.token().kind());
            copies += choice.token().is_copy();
            for (Path& path : choice.paths()) paths.push_back(std::move(path));
            CHECK_IN(write_position(position), !choice.paths().empty() && !choice.paths().front().empty());
        }
        // After sorting, a path comes right before any path that extends or repeats it.
        std::sort(paths.begin(), paths.end());
        for (std::size_t index = 1; index < paths.size(); ++index)
            CHECK_IN(write_position(position), !extends(paths[index], paths[index - 1]));
    });
    CHECK_EQUAL(kinds.size(), 11u);  // all but Draw, which no tribe chooses
    CHECK(copies > 100);
}

TEST(the_tile_of_a_choice_is_the_tile_that_the_token_flips) {
    Random random(2);
    for_each_moment(assorted_positions(2, 40), random, 40, [](const Position& position) {
        if (position.decider > Decider::Sea) return;
        TokenList legal;
        position.legal_tokens(legal);
        for (Token token : legal) {
            const ActionTile tile = Choice(position, token).tile();
            if (position.phase != Phase::Action) {
                CHECK(tile == ActionTile::None);
                continue;
            }
            Position after = position;
            after.play(token);
            // A power may follow, but it waits for a choice before it flips a tile.
            CHECK_EQUAL((position.faces ^ after.faces) & 7, 1 << int(tile));
        }
    });
}

TEST(tokens_have_the_expected_paths) {
    CHECK_EQUAL(paths_of(BeginnerStart, {}, "+d1"), "village:forest d1 | d1 | tile:add d1");
    // A1: a single pick of an enemy must not banish it.
    CHECK_EQUAL(paths_of("S4/5/5/5/F1FS1 - DRCG - wofm 0-0 F", {}, "+d1"), "village:forest d1 | tile:add d1");
    CHECK_EQUAL(paths_of("2S1S/5/5/S4/F1F1F - DRMD - woem 0-0 S", {}, "a2-out"),
                "a2 village:forest | tile:jump a2 village:forest");
    CHECK_EQUAL(paths_of("F1S1S/5/5/5/2F1F - DRMD - wofm 0-0 F", {"a5-out"}, "=MD"), "slot:1");
    CHECK_EQUAL(paths_of("S4/5/5/1F3/2S1F b3FC DRAD - wofm 0-0 F", {"b2-b3"}, "c1-out"), "c1 village:forest");
    CHECK_EQUAL(paths_of("S4/5/5/1F3/2S1F b3MD DRAD - wofm 0-0 F", {"b2-b3"}, "b3-c4"), "b3 c4 | c4");
    CHECK_EQUAL(paths_of("S4/5/5/1FF2/4F b3SH DRSS - wofm 0-0 F", {"b2-b3"}, "SS:b3=DR"),
                "slot:1 b3 slot:0 | slot:1 slot:0 b3");
    CHECK_EQUAL(paths_of("S4/5/5/1FF2/4F b3SH DRPS - wofm 0-0 F", {"b2-b3"}, "PS:use"), "slot:1");
    CHECK_EQUAL(paths_of("S4/5/5/1F3/2S1F b3MM DRAD - wofm 0-0 F", {"b2-b3"}, "flip-jump"), "tile:jump");
    CHECK_EQUAL(paths_of("5/3S1/1SF2/5/F1F2 - DRMD - wofm 1-0 S", {"d4-d3"}, "pass"), "button:pass");
}

}  // namespace cairn
