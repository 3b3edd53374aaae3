// Games between seats: who decides, held turns, draws, refusals and undo.
#include "seated_game.h"

#include <string>

#include "check.h"
#include "samples.h"
#include "text.h"

namespace cairn {

using namespace testing;

namespace {

constexpr std::string_view Leaves = "F1S1S/5/5/5/2F1F - DRMD (ADCS) wofm 0-0 F";
constexpr std::string_view Chain = "S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F";
// After b2-b3, Forest can move Sea's shaman off the field. Sea then builds during Forest's turn.
constexpr std::string_view PushedOut = "S3S/5/5/1F3/F1S2 b3FC,d3CG DRMD (ADCSPSSA) wofm 0-0 F";
constexpr std::string_view Secret = "secret";
constexpr Seating OneScreen, AgainstComputer{{0, 3}}, Online{{0, 0}, true};

SeatedGame seated(std::string_view text, const Seating& seating = OneScreen) {
    return SeatedGame(Game(position_of(text)), seating);
}

// Plays a token that must be legal, and advances the revision.
void play(SeatedGame& game, std::string_view token, bool hold = false) {
    const int before = game.count();
    const auto fault = game.play(token, hold, Secret);
    CHECK_IN(std::string(token), !fault);
    game.advance(game.count() - before, true);
}

std::string kind(const std::optional<Refused>& refused) { return std::string(refused ? refused->kind : ""); }

std::string written(const SeatedGame& game) {
    std::string text;
    for (int index = 0; index < game.count(); ++index) {
        const Step step = game.step(index);
        text += write_token(step.token) + " " + std::string(DeciderNames[std::size_t(step.by)]) + " " +
                std::to_string(step.turn) + " " + step.position + "\n";
    }
    return text + write_position(game.game().now());
}

}  // namespace

TEST(a_person_can_play_only_for_their_own_tribe_and_only_when_it_decides) {
    SeatedGame game = seated(BeginnerStart, AgainstComputer);
    CHECK_EQUAL(kind(game.refuse_play(Sea, 0)), "wrong-turn");
    CHECK(game.refuse_play(Sea, 0)->tribe == Forest);
    CHECK_EQUAL(kind(game.refuse_play(Forest, 0)), "");
    CHECK_EQUAL(kind(game.refuse_computer(0)), "wrong-turn");
    play(game, "a1-a2");
    CHECK_EQUAL(game.computer_level(), 3);
    CHECK_EQUAL(kind(game.refuse_play(Sea, 1)), "computer-decides");
    CHECK_EQUAL(kind(game.refuse_computer(1)), "");
    CHECK_EQUAL(kind(game.refuse_computer(0)), "stale-revision");
    CHECK(game.choices().empty());
}

TEST(a_command_must_refer_to_the_current_board) {
    SeatedGame game = seated(BeginnerStart);
    play(game, "a1-a2");
    CHECK_EQUAL(kind(game.refuse_play(Sea, 0)), "stale-revision");
    CHECK_EQUAL(kind(game.refuse_play(Sea, 2)), "stale-revision");
    game.advance(1, false);  // an offer does not change the board
    CHECK_EQUAL(kind(game.refuse_play(Sea, 1)), "");
    CHECK_EQUAL(kind(game.refuse_play(Sea, 2)), "");
    CHECK_EQUAL(kind(game.refuse_undo({}, UndoScope::Step, 0)), "stale-revision");
    CHECK_EQUAL(kind(game.refuse_confirm({}, 0)), "stale-revision");
}

TEST(a_held_turn_waits_until_its_tribe_confirms) {
    SeatedGame game = seated(BeginnerStart);
    CHECK_EQUAL(kind(game.refuse_confirm({}, 0)), "nothing-to-confirm");
    play(game, "a1-a2", true);
    CHECK(game.held() == Forest);
    CHECK(game.to_move() == Forest);
    CHECK(game.choices().empty());
    CHECK_EQUAL(kind(game.refuse_play(Sea, 1)), "turn-held");
    game.confirm(Secret);
    CHECK(!game.held());
    CHECK(game.to_move() == Sea);
    play(game, "a5-b4", true);
    CHECK(game.undo(1));
    CHECK(!game.held());
}

TEST(a_decision_in_the_other_tribes_turn_does_not_hold_that_turn) {
    SeatedGame game = seated(PushedOut);
    play(game, "b2-b3", true);
    CHECK(!game.held());
    play(game, "c1-out", true);
    CHECK_EQUAL(int(game.game().phase()), int(Phase::Build));
    play(game, "=DR", true);  // the tribe that decided has to confirm the draw
    CHECK(game.held() == Sea);
    game.confirm(Secret);
    CHECK(!game.held());
    CHECK_EQUAL(int(game.step(game.count() - 1).by), int(Decider::Chance));
}

TEST(tiles_are_drawn_immediately_and_cannot_be_taken_back) {
    SeatedGame game = seated(Leaves);
    play(game, "a5-out");
    CHECK_EQUAL(game.undoable(UndoScope::Step).tokens, 1);
    play(game, "=DR");
    CHECK_EQUAL(game.count(), 3);
    CHECK_EQUAL(int(game.undo_offer().no_step), int(Barrier::Drawn));
    CHECK_EQUAL(kind(game.refuse_undo({}, UndoScope::Turn, game.revision())), "nothing-to-undo");
    SeatedGame again = seated(Leaves);
    play(again, "a5-out");
    play(again, "=DR", true);
    CHECK(again.held() == Forest);
    CHECK_EQUAL(again.count(), 2);
    again.confirm(Secret);
    CHECK_EQUAL(written(again), written(game));
}

TEST(undo_goes_back_to_a_persons_last_decision) {
    SeatedGame game = seated(BeginnerStart, AgainstComputer);
    CHECK_EQUAL(int(game.undo_offer().no_turn), int(Barrier::Nothing));
    play(game, "a1-a2");
    play(game, "a5-b4");
    CHECK_EQUAL(game.undoable(UndoScope::Step).tokens, 2);
    CHECK_EQUAL(game.undoable(UndoScope::Turn).tokens, 2);
    SeatedGame chain = seated(Chain);
    play(chain, "a1-c3");
    play(chain, "d5-d4");
    CHECK_EQUAL(chain.undoable(UndoScope::Step).tokens, 1);
    CHECK_EQUAL(chain.undoable(UndoScope::Turn).tokens, 2);
    CHECK(!chain.undo(3));
    CHECK(chain.undo(2));
    CHECK_EQUAL(chain.count(), 0);
}

TEST(only_the_player_to_move_can_undo_in_an_online_game) {
    SeatedGame game = seated(BeginnerStart, Online);
    play(game, "a1-a2", true);
    CHECK_EQUAL(kind(game.refuse_undo(Sea, UndoScope::Step, 1)), "takeback-needed");
    CHECK_EQUAL(kind(game.refuse_undo(Forest, UndoScope::Step, 1)), "");
    CHECK_EQUAL(kind(game.refuse_confirm(Sea, 1)), "wrong-turn");
    game.confirm(Secret);
    CHECK_EQUAL(int(game.undoable(UndoScope::Step).barrier), int(Barrier::Other));
    CHECK_EQUAL(game.takeback(Forest, UndoScope::Step).tokens, 1);
    CHECK_EQUAL(int(game.takeback(Sea, UndoScope::Step).barrier), int(Barrier::Nothing));
    SeatedGame rated = seated(BeginnerStart, {{0, 3}, true, true});
    play(rated, "a1-a2");
    CHECK_EQUAL(int(rated.undoable(UndoScope::Step).barrier), int(Barrier::Other));
    SeatedGame casual = seated(BeginnerStart, {{0, 3}, true, false});
    play(casual, "a1-a2");
    CHECK_EQUAL(casual.undoable(UndoScope::Step).tokens, 1);
}

TEST(a_declared_end_is_final_and_releases_a_held_turn) {
    SeatedGame game = seated(BeginnerStart);
    play(game, "a1-a2", true);
    CHECK(!game.end({Winner::Forest, Reason::Points}));
    CHECK(game.end({Winner::Forest, Reason::Resignation}));
    CHECK(!game.end({Winner::Forest, Reason::Resignation}));
    CHECK(!game.held() && !game.to_move());
    CHECK_EQUAL(kind(game.refuse_play(Sea, 1)), "game-over");
    CHECK_EQUAL(int(game.undo_offer().no_step), int(Barrier::Over));
    CHECK(game.play("a5-b4", false, Secret)->kind == "game-over");
}

TEST(an_illegal_token_changes_nothing) {
    SeatedGame game = seated(BeginnerStart);
    play(game, "a1-a2", true);
    const std::string before = written(game);
    CHECK(game.play("a1-a5", false, Secret)->kind == "illegal-token");
    CHECK(game.play("nonsense", false, Secret)->kind == "not-a-token");
    CHECK_EQUAL(written(game), before);
    CHECK(game.held() == Forest);
}

TEST(replaying_the_log_of_a_game_gives_the_same_game) {
    Random random(8);
    for (const Position& start : assorted_positions(8, 12)) {
        SeatedGame game(Game(start), OneScreen), log(Game(start), OneScreen);
        for (int played = 0; played < 60 && !game.game().outcome(); ++played) {
            if (game.held()) {
                game.confirm(Secret);
                log.follow_confirmation();
            } else if (const int back = game.undoable(UndoScope::Turn).tokens; back > 0 && below(random, 6) == 0) {
                CHECK(game.undo(back) && log.undo(back));
            } else if (game.game().decider() <= Decider::Sea) {
                TokenList legal;
                game.game().now().legal_tokens(legal);
                play(game, write_token(legal[below(random, legal.size())]), below(random, 2) == 0);
            } else {
                game.draw(Secret);  // the start position is in the middle of a turn
            }
            while (log.count() < game.count())
                CHECK(!log.follow(write_token(game.step(log.count()).token),
                                  log.count() + 1 == game.count() && game.held()));
            CHECK_EQUAL(written(log), written(game));
            CHECK(log.held() == game.held());
            CHECK_EQUAL(log.turn(), game.turn());
        }
    }
}

}  // namespace cairn
