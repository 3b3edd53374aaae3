// The order in which the search tries tokens.
#include <algorithm>
#include <cstdlib>

#include "search_details.h"

namespace cairn {

void Search::order(const Position& position, const TokenList& tokens, std::uint32_t first_code, int ply,
                   std::array<int, TokenList::Capacity>& ranks) const {
    const Tribe me = viewer(position);
    for (int index = 0; index < tokens.size(); ++index) {
        const Token token = tokens[index];
        int rank = history_[me][token.history_index()];
        if (token.code() == first_code)
            rank = TableRank;
        else if (token.kind() == Kind::Transform)
            rank = TransformRank;
        else if (token.kind() == Kind::Travel && token.target() == Nowhere &&
                 (position.megaliths & bit(token.origin())) == 0)
            rank += ScoringExitRank;
        else if (token.code() == killers_[std::size_t(ply)][0])
            rank = FirstKillerRank;
        else if (token.code() == killers_[std::size_t(ply)][1])
            rank = SecondKillerRank;
        else if (position.phase == Phase::Action && (position.megaliths & bit(token.target())) != 0)
            rank += ActivationBonus;
        ranks[std::size_t(index)] = rank;
    }
}

// Updates the move ordering after a cutoff: next time, the best token is tried earlier, and the tokens tried before it
// are tried later.
void Search::reward(const Position& position, const TokenList& tokens, int best, int depth, int ply) {
    auto& history = history_[viewer(position)];
    const int bonus = std::min(depth * 100, HistoryLimit / 8);
    const auto adjust = [&](Token token, int change) {
        int& value = history[token.history_index()];
        value += change - value * std::abs(change) / HistoryLimit;
    };
    adjust(tokens[best], bonus);
    for (int index = 0; index < best; ++index) adjust(tokens[index], -bonus);
    auto& killers = killers_[std::size_t(ply)];
    if (killers[0] != tokens[best].code()) killers = {tokens[best].code(), killers[0]};
}

}  // namespace cairn
