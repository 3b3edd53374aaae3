// The search, which finds the best tokens and their scores.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "evaluation.h"
#include "network.h"
#include "position.h"
#include "table.h"

namespace cairn {

struct Limits {
    static constexpr int MaxDepth = 64;
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    int depth = MaxDepth;
    int lines = 1;              // the number of best tokens to find
    std::vector<Token> only{};  // the first tokens to consider; empty for all. Several searches can share the work.
    int helper = 0;             // the number of a helper thread; 0 for the thread whose result counts
};

// How a search judges the moments that it does not search further.
struct Judgement {
    const Network* network = nullptr;  // without a network, the search uses the hand-made evaluation

    // A drawn tile that wins or loses the game counts as this many points in the average over all tiles. Beyond some
    // 400 points a lead hardly improves the chance to win, but it would outweigh all other tiles.
    Score outcome_limit = 400;
};

// One of the best tokens and its continuation. The score is for the decider at the root.
struct Line {
    Score score = 0;
    int depth = 0;
    std::vector<Token> tokens;
};

struct Progress {
    std::uint64_t nodes = 0;
    std::span<const Line> lines;  // best first, all from the same finished depth
};

// The part of the history that matters for a draw by repetition (G3).
struct Past {
    explicit Past(std::span<const Key> turn_starts);
    std::vector<Key> twice;  // positions that occurred at the start of two turns; a third occurrence is a draw
    Key salt = 0;            // separates table entries from different histories
};

// The search calls this regularly to ask whether to pause, because a single-threaded host has to return to its event
// loop.
using PauseCheck = bool (*)();

// One search thread. Several searches may share a table. All of them stop when the flag is set.
class Search {
  public:
    using Report = std::function<void(const Progress&)>;

    Search(Table& table, const std::atomic<bool>& stop, PauseCheck pause_check = nullptr)
        : table_(table), stop_(stop), pause_check_(pause_check) {}

    // Searches by iterative deepening. Precondition: a tribe decides. Calls `report` after every completed depth.
    // Returns the best lines of the last depth that was completed or got far enough to be trusted.
    std::vector<Line> run(const Position& root, const Past& past, const Limits& limits, const Report& report,
                          const Judgement& judgement = {}) {
        begin(root, past, limits, judgement);
        while (!proceed(report)) {
        }
        return lines();
    }

    // The same, but in slices. `proceed` returns true when the search has ended, and false when the pause check asked
    // for a pause. Pauses do not affect a search's nodes, lines or table.
    void begin(const Position& root, const Past& past, const Limits& limits, const Judgement& judgement = {});
    bool proceed(const Report& report);
    // Ends a paused search as the stop flag would. Call `proceed` once more afterwards.
    void abort() { aborted_ = true; }
    // The best lines so far.
    const std::vector<Line>& lines() const { return best_; }

    // Other threads may call this during the search.
    std::uint64_t nodes() const { return shown_nodes_.load(std::memory_order_relaxed); }

  private:
    static constexpr int MaxPly = 160;

    // The scores that still matter: at or below alpha, a better token is known already; at or above beta, the enemy
    // would not allow the moment.
    struct Window {
        Score alpha = 0, beta = 0;
        Window opposite() const { return {-beta, -alpha}; }
        bool is_null() const { return beta - alpha <= 1; }
    };

    // The place of a moment in the tree.
    struct Place {
        int ply, turn;  // the number of tokens and of turns since the root; the root is in turn 1
    };

    // How a token is searched: with a null window at reduced depth, with a null window, or with the full window.
    enum class Attempt : std::uint8_t { Reduced, NullWindow, Window };

    // The state of a moment on the path while its tokens are being searched. A pause has to save this state.
    struct Node {
        Key key = 0;
        Window window;
        Score best = 0;
        int depth = 0, index = 0, reduction = 0;
        bool costs = false, is_wide = false, extends_first = false;
        Attempt attempt = Attempt::Window;
        Bound bound = Bound::Upper;
        Token best_token;
        TokenList tokens;
        std::array<int, TokenList::Capacity> ranks;
    };

    // The same for the outcomes of a draw.
    struct ChanceNode {
        int index = 0, sum = 0;
        Score soonest, latest;  // the lowest and the highest score among the outcomes
        bool all_won = true, all_lost = true;
        bool needs_all = false;  // a few tiles cannot represent all of them
    };

    void search_depth();
    bool finish_depth(const Report& report);
    Line search_line();
    Score search_root(Window window);
    Score visit(const Position& position, Window window, int depth, const Place& place);
    Score search_token(const Position& before, const Position& after, Node& node, const Place& place);
    bool is_singular(const Position& position, const Finding& found, Score score, int depth, const Place& place);
    Score chance(const Position& position, Window window, int depth, const Place& place);
    Score quiesce(const Position& position, Window window, const Place& place, int quiet_depth);
    Score after_token(const Position& before, const Position& after, Window window, int depth, const Place& place);
    Score estimate(const Position& position, Tribe mover);
    bool stood_twice(Key key) const;
    bool is_repetition(Key key, int ply) const;
    bool out_of_time();
    bool resumes_at(int ply);
    void keep(int ply, const Node& node);

    void order(const Position& position, const TokenList& tokens, std::uint32_t first_code, int ply,
               std::array<int, TokenList::Capacity>& ranks) const;
    void reward(const Position& position, const TokenList& tokens, int best, int depth, int ply);
    void update_line(int ply, Token token);

    Table& table_;
    const std::atomic<bool>& stop_;
    PauseCheck pause_check_;
    std::uint64_t nodes_ = 0;
    std::atomic<std::uint64_t> shown_nodes_{0};
    Past past_{{}};
    Position root_;
    Limits limits_;
    Judgement judgement_;
    NetworkSums sums_;
    std::size_t wanted_ = 1;  // the number of lines to find
    int root_choices_ = 0;
    TokenList root_tokens_;  // those of the legal tokens that the limits allow

    // --- The iteration.
    int root_depth_ = 0;
    std::vector<Line> best_;       // from the last depth
    std::vector<Line> found_;      // from this depth
    std::vector<Token> excluded_;  // the first tokens of `found_`
    Score below_ = 0, above_ = 0;  // the aspiration window around the guess
    Line failed_high_;             // the best line if it was better than the last window; empty otherwise
    bool ended_ = true;

    // --- Unwinding. A paused search saves the nodes on its path and returns from all of them. Later it descends along
    // the same path again without counting any node twice.
    bool unwinding_ = false;  // aborted or paused, so returned scores are meaningless
    bool aborted_ = false, paused_ = false;
    bool pause_wanted_ = false;
    int verifying_ = 0;     // the number of searches for a singular token in progress, during which no pause is made
    int paused_plies_ = 0;  // the length of the saved path
    int resume_plies_ = 0;  // the same length while the search descends again; otherwise 0
    std::vector<Node> kept_nodes_;
    std::vector<ChanceNode> kept_chances_;

    std::array<Key, MaxPly + 1> turn_keys_{};  // by ply: the key if a turn starts there, otherwise 0
    std::array<std::array<Token, MaxPly + 1>, MaxPly + 1> lines_;
    std::array<int, MaxPly + 2> line_lengths_{};
    std::array<std::array<std::uint32_t, 2>, MaxPly + 1> killers_{};
    std::array<std::array<int, 1 << 14>, 2> history_{};  // by tribe and by token without its copied tile
    std::uint32_t era_ = 0;                              // of the table when the history was last used
};

}  // namespace cairn
