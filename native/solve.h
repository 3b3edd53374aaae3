// Proves wins that hold whatever the other tribe chooses and whichever tiles are drawn. A moment is the state of a game
// at one decision.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "position.h"
#include "search.h"

namespace cairn {

// The verdict for the decider at the root, or for the active player if a tile is drawn there.
enum class Verdict : std::uint8_t { Win, Loss, NotWithin, Unknown };

struct Solved {
    Verdict verdict = Verdict::Unknown;
    // Win, Loss: the turn by which the game must end, counting the current turn as 1. The winner cannot force
    // an earlier end. Otherwise: the number of turns within which nobody can force a win.
    int turns = 0;
    std::vector<Token> line;  // Win, Loss: the winner's tokens against the longest defence
    std::uint64_t nodes = 0;  // tokens played
};

// A moment in a proof. If the winner decides, `token` is the token to play. Otherwise every legal token leads to
// another moment in the proof.
struct ProofStep {
    Key moment = 0;
    int turns = 0;  // the winner can force the win in this many turns from here, and no sooner
    std::optional<Token> token;
};

// What a token leads to: the smallest number of turns in which the attacker can force a win after it, counting the turn
// of the token as 1; 0 if the attacker cannot do so within the turns that were searched; nothing if the search ended
// first.
struct TokenTurns {
    Token token;
    std::optional<int> turns;
};

// Results by moment. An entry stores the whole moment and is used only if the moments are equal. The 64-bit key only
// locates the entry, so a key collision never applies the proof of one moment to another.
class ProofTable {
  public:
    static constexpr std::uint32_t NoCode = Token::CodeLimit - 1;

    struct Entry {
        Key key = 0;
        std::array<std::uint8_t, 2> proven{};     // by attacker: wins within this many turns; 0 if not proven
        std::array<std::uint8_t, 2> disproven{};  // by attacker: cannot win within this many turns
        std::array<std::uint32_t, 2> token_code{NoCode, NoCode};  // by attacker: the last token that decided the result
        Position moment;

        int worth() const;  // larger for results over more turns, which took more work
    };

    explicit ProofTable(std::size_t megabytes);

    const Entry* find(Key key, const Position& moment) const;
    void note(Key key, const Position& moment, Tribe attacker, int turns, bool wins, Token token);
    void clear();

  private:
    static constexpr std::size_t Neighbours = 4;  // the number of places where a key may be stored

    Entry& place(Key key, const Position& moment);
    void grow();

    std::vector<Entry> entries_;  // the size is a power of two and grows with use
    std::size_t used_ = 0, limit_ = 0;
};

class Solver {
  public:
    static constexpr int MaxTurns = 20;

    Solver(std::size_t megabytes, const std::atomic<bool>& stop) : table_(megabytes), stop_(stop) {}

    // Looks for the shortest forced win for either tribe within `turns` turns. Precondition: the game is not over, and
    // `turns` is from 1 to MaxTurns. Returns Unknown if the node limit or the stop flag ends the search first. The
    // search for the line has a node limit of the same size; if it is reached, the line is truncated.
    Solved solve(const Position& root, const Past& past, int turns, std::uint64_t nodes);

    // The complete proof that the attacker wins within `turns` turns: every moment once, the root first. Empty if there
    // is no such win, or if the node limit or the stop flag ends the search first.
    std::vector<ProofStep> prove(const Position& root, const Past& past, Tribe attacker, int turns,
                                 std::uint64_t nodes);

    // Judges every legal token, in the order of their notation, by the win that the attacker can force after it.
    // Whoever decides at the root, `turns` is from 1 to MaxTurns. The tokens share the node limit.
    std::vector<TokenTurns> turns_by_token(const Position& root, const Past& past, Tribe attacker, int turns,
                                           std::uint64_t nodes);

  private:
    void begin(const Past& past, std::uint64_t nodes);
    bool out_of_nodes();
    bool wins(const Position& position, int turns);
    bool wins_after(const Position& after, int turns);
    int turns_after(const Position& after, int turns);
    bool is_hopeless(const Position& position, Token action, bool enemy_can_add) const;
    void order(const Position& position, TokenList& tokens, std::uint32_t first_code) const;
    std::vector<Token> line(const Position& root, int turns);
    Token best_token(const Position& position, int turns, int& turns_left);

    ProofTable table_;
    const std::atomic<bool>& stop_;
    std::vector<Key> drawn_;  // positions that would occur at the start of a turn for the third time (G3)
    Tribe attacker_ = Forest;
    std::uint64_t nodes_ = 0, node_limit_ = 0;
    bool aborted_ = false;
    std::array<std::array<std::uint32_t, 1 << 14>, 2> history_{};  // by attacker: how often a token decided the result
};

// Answers the same question by brute force, without a table, move ordering or bounds, as a reference for the solver.
// Ignores repetition. Returns nothing if the node limit is reached.
std::optional<bool> wins_exhaustively(const Position& position, Tribe attacker, int turns, std::uint64_t nodes);

}  // namespace cairn
