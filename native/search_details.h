// Details of the search that its source files share.
#pragma once

#include <algorithm>
#include <utility>

#include "search.h"

namespace cairn {

constexpr Score Infinite = Won + 1;
constexpr Score Draw = 0;

// The order in which tokens are tried, from the last to the first. A token without a rank of its own has its history,
// which is below HistoryLimit.
constexpr int HistoryLimit = 1 << 14;
constexpr int ActivationBonus = HistoryLimit / 4;  // on top of its history, for a token that activates a megalith
constexpr int SecondKillerRank = 1 << 26;
constexpr int FirstKillerRank = 1 << 27;
constexpr int ScoringExitRank = 1 << 28;
constexpr int TransformRank = 1 << 29;
constexpr int TableRank = 1 << 30;

// Depths are in steps, margins in points (docs/methods.md says what was measured).
constexpr int QuietDepth = 3;       // exits and powers beyond the horizon
constexpr int FutilityDepth = 5;    // reverse futility pruning up to this depth
constexpr int FutilityMargin = 50;  // for every step
constexpr int SingularDepth = 5;    // singular extensions from this depth on
constexpr int SingularMargin = 4;   // for every step
constexpr int SampledTiles = 3;     // how many tiles represent all tiles that can be drawn
constexpr int SampledDepth = 9;     // up to this depth

// The tribe from whose point of view a moment is scored: the decider, or the active player if no tribe decides.
inline Tribe viewer(const Position& position) {
    return position.decider <= Decider::Sea ? Tribe(position.decider) : position.active;
}

// The table stores proven scores relative to the moment, so that they are valid wherever the moment occurs in the tree.
inline Score to_table(Score score, int turn) {
    if (score >= ProvenFrom) return score + turn;
    if (score <= -ProvenFrom) return score - turn;
    return score;
}
inline Score from_table(Score score, int turn) {
    if (score >= ProvenFrom) return score - turn;
    if (score <= -ProvenFrom) return score + turn;
    return score;
}

// The score of a game that ended in the given turn, from the point of view of `tribe`.
inline Score final_score(const Position& position, Tribe tribe, int turn) {
    return position.winner == (tribe == Forest ? Winner::Forest : Winner::Sea) ? Won - turn : turn - Won;
}

// Moves the most promising of the tokens from `index` onwards to `index`, and returns it.
inline Token take_next(TokenList& tokens, std::array<int, TokenList::Capacity>& ranks, int index) {
    const auto next = std::max_element(ranks.begin() + index, ranks.begin() + tokens.size()) - ranks.begin();
    std::swap(ranks[std::size_t(index)], ranks[std::size_t(next)]);
    std::swap(tokens[index], tokens[int(next)]);
    return tokens[index];
}

}  // namespace cairn
