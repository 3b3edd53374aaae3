// A game between two seats. It knows who has to decide, holds turns until they are confirmed, draws tiles, and knows
// which tokens can be taken back.
//
// The server uses it for online games, and the web app for local games without a server. Clocks, offers and
// permissions exist only on the server. A game contains no secret: the key for its draws is an argument.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "choices.h"
#include "consequences.h"
#include "game.h"
#include "story.h"

namespace cairn {

// The properties of a game that never change after its creation.
struct Seating {
    std::array<int, 2> levels{};  // by tribe: the computer's level, or 0 for a person
    bool online = false;          // whether the game is played online, by two people or against the computer
    bool rated = false;

    bool has_person(Tribe tribe) const { return levels[tribe] == 0; }
    bool has_two_persons() const { return has_person(Forest) && has_person(Sea); }
};

// One token of the game and its effects.
struct Step {
    Token token;
    Decider by;
    Tribe active;  // the tribe whose turn it was
    int turn;      // starting at 1
    Phase phase;   // in which the token was played
    std::vector<Effect> effects;
    std::string position;  // after the token
};

// A step goes back to a person's last decision, skipping the computer's decisions. A turn goes back to the start of a
// person's turn: the current turn or, at its start, the previous one.
enum class UndoScope : std::uint8_t { Step, Turn };

// Why nothing can be taken back: a tile was drawn, nothing has been played, the other player has decided since then, or
// the game is over.
enum class Barrier : std::uint8_t { None, Drawn, Nothing, Other, Over };
constexpr std::array<std::string_view, 5> BarrierNames{"", "drawn", "nothing", "other", "over"};

struct Reach {
    int tokens = 0;  // 0 if there is a barrier
    Barrier barrier = Barrier::None;
};

struct UndoOffer {
    Barrier no_step = Barrier::None, no_turn = Barrier::None;
};

// Why a command is refused. The kinds are the server's problem kinds.
struct Refused {
    std::string_view kind;
    std::optional<Tribe> tribe{};  // the tribe that has to decide or confirm, if that is the reason
};

class SeatedGame {
  public:
    SeatedGame(const Game& game, const Seating& seating);

    const Game& game() const { return game_; }
    const Seating& seating() const { return seating_; }
    int count() const { return int(turns_.size()); }
    Step step(int index) const;

    // The tribe that has to confirm its completed turn or the next tile draw.
    std::optional<Tribe> held() const { return held_; }
    // The tribe that has to decide or confirm; nothing once the game is over.
    std::optional<Tribe> to_move() const;
    // The computer's level if it has to decide now; otherwise 0.
    int computer_level() const;
    // The number of the current turn, starting at 1. If the game has ended on the board, this is the last turn.
    int turn() const;
    // Whether the decider's next point wins (T6).
    bool next_wins() const;
    // The choices of a person who has to decide; none while the computer or chance decides or a turn is held.
    std::vector<Choice> choices() const;
    // What these choices cause at once.
    std::vector<Consequence> consequences() const;

    // How many tokens can be taken back without the other player's consent, and with it.
    Reach undoable(UndoScope scope) const;
    Reach takeback(Tribe tribe, UndoScope scope) const;
    UndoOffer undo_offer() const;

    // --- Revisions: the number of stored events, and the last revision that changed the board or `held`.
    std::int64_t revision() const { return revision_; }
    std::int64_t board_revision() const { return board_revision_; }
    void advance(std::int64_t events, bool changed_board);
    // Whether a command with this revision was sent by a client that had not seen the current board.
    bool is_stale(std::int64_t revision) const { return revision < board_revision_ || revision > revision_; }

    // --- Whether a command is refused. `tribe` is the tribe that the command is for; only online games need it to undo
    // or confirm. The token itself is checked when it is played.
    std::optional<Refused> refuse_play(Tribe tribe, std::int64_t revision) const;
    std::optional<Refused> refuse_computer(std::int64_t revision) const;
    std::optional<Refused> refuse_undo(std::optional<Tribe> tribe, UndoScope scope, std::int64_t revision) const;
    std::optional<Refused> refuse_confirm(std::optional<Tribe> tribe, std::int64_t revision) const;

    // --- Changes. Plays a token and draws the tile if one is due. With `hold`, a draw and the end of the player's own
    // turn wait for a confirmation. Returns the reason if the token cannot be played.
    std::optional<Fault> play(std::string_view token, bool hold, std::string_view key);
    // Confirms the held turn or draw, and draws the tile if one is due.
    void confirm(std::string_view key);
    // Draws tiles while chance decides and nothing is held.
    void draw(std::string_view key);
    // Takes back this many tokens. Returns false if there are fewer.
    bool undo(int tokens);
    // Declares how the game ended; see `Game::end`.
    bool end(Outcome outcome);

    // --- Changes read from a log, in which draws are separate tokens and `hold` has already been decided.
    std::optional<Fault> follow(std::string_view token, bool hold);
    void follow_confirmation() { held_.reset(); }

  private:
    using TribeSet = std::array<bool, 2>;

    void number_turns();
    bool is_repetition() const { return game_.outcome() && game_.outcome()->reason == Reason::Repetition; }
    std::optional<Fault> push(std::string_view token);
    // The tribe that has to confirm the last token: the decider before a draw, the active tribe at the end of its turn.
    std::optional<Tribe> holder() const;
    Reach reach(UndoScope scope, const TribeSet& tribes, bool own_only) const;

    Game game_;
    Seating seating_;
    std::vector<int> turns_;  // the turn of each token
    std::optional<Tribe> held_;
    std::int64_t revision_ = 0, board_revision_ = 0;
};

}  // namespace cairn
