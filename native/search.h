// The search: the best tokens and their scores.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "evaluation.h"
#include "position.h"
#include "table.h"

namespace cairn {

struct Limits {
    static constexpr int MaxDepth = 64;
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    int depth = MaxDepth;
    int lines = 1;  // the number of best tokens to find
};

// A best token and its continuation. The score is for the decider at the root.
struct Line {
    Score score = 0;
    int depth = 0;
    std::vector<Token> tokens;
};

struct Progress {
    std::uint64_t nodes = 0;
    std::span<const Line> lines;  // best first, all of the same finished depth
};

// The history, as far as it matters for the draw by repetition (G3).
struct Past {
    explicit Past(std::span<const Key> turn_starts);
    std::vector<Key> twice;  // positions that occurred at the start of two turns: a third time is a draw
    Key salt = 0;            // separates table entries of different histories
};

// Asked regularly whether to stop. For hosts with a single thread, where nobody can set a flag during the search.
using StopCheck = bool (*)();

// One search thread. Several may share a table; all of them stop when the flag is set.
class Search {
  public:
    Search(Table& table, const std::atomic<bool>& stop, StopCheck stop_check = nullptr)
        : table_(table), stop_(stop), stop_check_(stop_check) {}

    // Iterative deepening from a moment at which a tribe decides. Calls `report` after every finished depth. Returns
    // the best lines of the last depth that was finished, or got far enough to be trusted.
    std::vector<Line> run(const Position& root, const Past& past, const Limits& limits,
                          const std::function<void(const Progress&)>& report);

    // Other threads may call this during the search.
    std::uint64_t nodes() const { return shown_nodes_.load(std::memory_order_relaxed); }

  private:
    static constexpr int MaxPly = 160;

    Line search_line(std::span<const Token> excluded, int depth, Score guess);
    Score search_root(std::span<const Token> excluded, Score alpha, Score beta, int depth);
    Score visit(const Position& position, Score alpha, Score beta, int depth, int ply, int turn);
    Score chance(const Position& position, Score alpha, Score beta, int depth, int ply, int turn);
    Score quiesce(const Position& position, Score alpha, Score beta, int ply, int turn, int patience);
    Score after_token(const Position& before, const Position& after, Score alpha, Score beta, int depth, int ply,
                      int turn);
    bool stood_twice(Key key) const;
    bool is_repetition(Key key, int ply) const;
    bool out_of_time();

    void order(const Position& position, const TokenList& tokens, std::uint32_t first_code, int ply,
               std::array<int, TokenList::Capacity>& ranks) const;
    void reward(const Position& position, const TokenList& tokens, int best, int depth, int ply);
    void update_line(int ply, Token token);

    Table& table_;
    const std::atomic<bool>& stop_;
    StopCheck stop_check_;
    std::uint64_t nodes_ = 0, node_limit_ = 0;
    std::atomic<std::uint64_t> shown_nodes_{0};
    bool aborted_ = false;
    const Past* past_ = nullptr;
    Position root_;
    int root_depth_ = 0;

    std::array<Key, MaxPly + 1> turn_keys_{};  // by ply: the key if a turn starts there
    std::array<std::array<Token, MaxPly + 1>, MaxPly + 1> lines_;
    std::array<int, MaxPly + 2> line_lengths_{};
    std::array<std::array<std::uint32_t, 2>, MaxPly + 1> killers_{};
    std::array<std::array<int, 1 << 14>, 2> history_{};  // by tribe and the token without a copied tile
};

}  // namespace cairn
