#include "odds.h"

#include <algorithm>

namespace cairn {

namespace {

// A plain search of the whole tree, without a table or bounds.
class OddsSearch {
  public:
    OddsSearch(Tribe attacker, std::uint64_t nodes) : attacker_(attacker), nodes_(nodes) {}

    // The chance after a token. `turns` counts the turn in which the token was played.
    std::int64_t after(const Position& position, Token token, int turns) {
        if (nodes_ == 0) failed_ = true;
        if (failed_) return 0;
        --nodes_;
        Position next = position;
        next.play(token);
        if (next.is_over())
            return next.winner == (attacker_ == Forest ? Winner::Forest : Winner::Sea) ? CertainChance : 0;
        if (next.phase == Phase::Action && --turns == 0) return 0;
        return at(next, turns);
    }

    bool failed() const { return failed_; }

  private:
    std::int64_t at(const Position& position, int turns) {
        TokenList tokens;
        position.legal_tokens(tokens);
        if (position.decider == Decider::Chance) return mean(position, tokens, turns);
        const bool attacks = position.decider == Decider(attacker_);
        std::int64_t best = attacks ? 0 : CertainChance;
        for (Token token : tokens) {
            const std::int64_t chance = after(position, token, turns);
            best = attacks ? std::max(best, chance) : std::min(best, chance);
            if (failed_ || best == (attacks ? CertainChance : 0)) break;
        }
        return best;
    }

    std::int64_t mean(const Position& position, const TokenList& tokens, int turns) {
        std::int64_t sum = 0;
        for (Token token : tokens) sum += after(position, token, turns);
        if (sum % tokens.size() != 0) failed_ = true;
        return sum / tokens.size();
    }

    Tribe attacker_;
    std::uint64_t nodes_;
    bool failed_ = false;
};

}  // namespace

std::optional<std::vector<TokenChance>> chances_by_token(const Position& root, Tribe attacker, int turns,
                                                         std::uint64_t nodes) {
    OddsSearch search(attacker, nodes);
    TokenList tokens;
    root.legal_tokens(tokens);
    sort_by_text(tokens);
    std::vector<TokenChance> chances;
    for (Token token : tokens) {
        chances.push_back({token, search.after(root, token, turns)});
        if (search.failed()) return std::nullopt;
    }
    return chances;
}

}  // namespace cairn
