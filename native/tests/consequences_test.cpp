// Consequences: what a token causes at once, as told before it is played.
#include "consequences.h"

#include <algorithm>
#include <string>

#include "check.h"
#include "game.h"
#include "samples.h"
#include "text.h"

namespace cairn {

using namespace testing;

namespace {

std::string shown(const Consequence& consequence) {
    std::string text;
    for (Effect effect : consequence.effects) text += std::string(effect_name(effect.kind())) + " ";
    if (consequence.scorer) text += "+" + std::string(DeciderNames[*consequence.scorer]) + " ";
    for (Pick pick : consequence.next) text += write_pick(pick) + " ";
    for (const auto& line : consequence.lines) {
        for (Space space : line) text += write_space(space);
        text += " ";
    }
    for (const Opportunity& each : consequence.transformations)
        text += "T" + write_space(each.enemy) + (each.scores ? "+1" : "") + (each.wins ? "!" : "") + " ";
    if (consequence.ignored) text += "ignored ";
    if (!text.empty()) text.pop_back();
    return text;
}

Token legal_token(const Position& position, std::string_view text) {
    for (Choice choice : list_choices(position))
        if (write_token(choice.token()) == text) return choice.token();
    fail(__FILE__, __LINE__, "not legal: " + std::string(text));
    return Token(0);
}

// The consequences of one token, as text.
std::string of(std::string_view start, std::initializer_list<std::string_view> tokens, std::string_view last) {
    Position now = position_of(start);
    for (std::string_view text : tokens) now.play(legal_token(now, text));
    const Token token = legal_token(now, last);
    for (const Consequence& consequence : list_consequences(now))
        if (consequence.token == token) return shown(consequence);
    return "";
}

}  // namespace

TEST(tokens_have_the_expected_consequences) {
    CHECK_EQUAL(of(BeginnerStart, {}, "+d1"), "");
    // An action onto a megalith: with a choice, without one, and with nothing to do.
    CHECK_EQUAL(of("S4/5/5/1F3/2S1F b3AD DRCG - wofm 0-0 F", {}, "b2-b3"), "activated");
    CHECK_EQUAL(of("S4/2S2/5/1F3/2S1F b3AD DRCG - wofm 0-0 F", {}, "b2-b3"), "activated c4");
    CHECK_EQUAL(of("S4/5/5/1F3/2S1F b3TS DRCG - wofm 0-0 F", {}, "b2-b3"), "activated banished");
    CHECK_EQUAL(of("S4/5/5/1F3/2S1F b3PS DRCG - wofm 0-0 F", {}, "b2-b3"), "activated extra-turn");
    // The Menhir always moves its own shaman, so the picks are where it can go.
    CHECK_EQUAL(of("S4/5/5/1F3/2S1F b3MD DRCG - wofm 0-0 F", {}, "b2-b3"), "activated a2 a3 a4 b2 b4 c2 c3 c4");
    // P6: the third activation.
    CHECK_EQUAL(of("S4/5/5/1F3/4F b3MD,c3CS DRAD - wofm 0-0 F", {"b2-b3", "b3-c3", "c3-b3", "b3-c3"}, "c3-b3"),
                "activated ignored");
    // A1: the enemy on the totem space is banished.
    CHECK_EQUAL(of("S4/5/5/5/F1FS1 - DRCG - wofm 0-0 F", {}, "+d1"), "banished");
    // E2, E4, E5.
    CHECK_EQUAL(of("F1S1S/5/5/5/2F1F - DRMD - wofm 0-0 F", {}, "a5-out"), "+forest");
    CHECK_EQUAL(of("F1S1S/5/5/5/2F1F a5CG DRMD - wofm 0-0 F", {}, "a5-out"), "nothing-built");
    CHECK_EQUAL(of("F1S1S/5/5/5/2F1F a5CG DRMD - wofm 2-0 F", {}, "a5-out"), "nothing-built");
    // P5: if a power moves an enemy out, the enemy scores.
    CHECK_EQUAL(of("S4/5/5/1F3/2S1F b3FC DRAD - wofm 0-0 F", {"b2-b3"}, "c1-out"), "+sea");
    // What Shifting Stone copies follows at once.
    CHECK_EQUAL(of("S4/5/5/1FF2/4F b3SH DRTS - wofm 0-0 F", {"b2-b3"}, "TS:use"), "banished");
    // X1: the transformation that comes next, with its point (E4) and whether the point wins.
    CHECK_EQUAL(of("5/3S1/1SF2/5/F1F2 - DRMD - wofm 1-0 S", {}, "d4-d3"), "Tc3+1");
    CHECK_EQUAL(of("5/3S1/1SF2/5/F1F2 - DRMD - wofm 1-2 S", {}, "d4-d3"), "Tc3+1!");
    CHECK_EQUAL(of("5/3S1/1SF2/5/F1F2 c3CG DRMD - wofm 1-2 S", {}, "d4-d3"), "Tc3");
    CHECK_EQUAL(of("5/3S1/1SF2/5/F1F2 d3CS DRMD - wofm 1-0 S", {}, "d4-d3"), "activated Tc3+1");
    // X1: the line, whose enemy is in the middle or at an end.
    CHECK_EQUAL(of("5/3S1/1SF2/5/F1F2 - DRMD - wofm 1-0 S", {"d4-d3"}, "Tc3"), "+sea b3c3d3");
}

TEST(consequences_tell_what_then_happens) {
    Random random(1);
    int scored = 0, offered = 0, lines = 0, transformable = 0, won = 0;
    for_each_moment(assorted_positions(1, 60), random, 60, [&](const Position& position) {
        for (const Consequence& consequence : list_consequences(position)) {
            Position after = position;
            after.play(consequence.token);
            CHECK_IN(write_position(position), !consequence.is_empty());
            CHECK_EQUAL(consequence.transformations.empty(), after.phase != Phase::Transform);
            Spaces enemies = 0;
            for (const Opportunity& each : consequence.transformations) {
                ++transformable;
                enemies |= bit(each.enemy);
                Position transformed = after;
                transformed.play(legal_token(after, "T" + write_space(each.enemy)));
                if (transformed.phase == Phase::Build) transformed.play(list_choices(transformed).front().token());
                CHECK_EQUAL(transformed.scores[after.active], after.scores[after.active] + each.scores);
                const Winner winner = after.active == Forest ? Winner::Forest : Winner::Sea;
                if (each.wins) CHECK_IN(write_position(position), transformed.winner == winner);
                if (each.scores) CHECK_EQUAL(each.wins, transformed.winner == winner);
                won += each.wins;
            }
            if (after.phase == Phase::Transform) CHECK_EQUAL(enemies, after.transformable());
            if (consequence.ignored) CHECK_IN(write_position(position), after.phase != Phase::Power);
            if (consequence.scorer) {
                ++scored;
                if (after.phase == Phase::Build) after.play(list_choices(after).front().token());
                CHECK_EQUAL(after.scores[*consequence.scorer], position.scores[*consequence.scorer] + 1);
                continue;
            }
            CHECK_IN(write_position(position), after.scores == position.scores);
            CHECK_EQUAL(consequence.next.empty(), after.phase != Phase::Power);
            offered += !consequence.next.empty();
            for (Pick pick : consequence.next) {
                const auto choices = list_choices(after);
                CHECK_IN(write_pick(pick), std::any_of(choices.begin(), choices.end(), [&](Choice choice) {
                             const auto paths = choice.paths();
                             return std::any_of(paths.begin(), paths.end(),
                                                [&](const Path& path) { return path.front() == pick; });
                         }));
            }
        }
    });
    Random again(2);
    for_each_moment(assorted_positions(2, 60), again, 60, [&](const Position& position) {
        if (position.phase != Phase::Transform) return;
        Spaces enemies = 0;
        for (const Consequence& consequence : list_consequences(position)) {
            if (consequence.token.kind() != Kind::Transform) continue;
            CHECK_IN(write_position(position), !consequence.lines.empty());
            lines += int(consequence.lines.size());
            enemies |= bit(consequence.token.space());
        }
        CHECK_EQUAL(enemies, position.transformable());
    });
    CHECK(scored > 100);
    CHECK(offered > 100);
    CHECK(lines > 20);
    CHECK(transformable > 100);
    CHECK(won > 0);
}

}  // namespace cairn
