#include "perft.h"

#include <algorithm>

#include "actions.h"
#include "transformation.h"

namespace cairn {

namespace {

template <typename Count>
std::uint64_t sum_over_tokens(const Position& position, Count count_after) {
    TokenList tokens;
    position.legal_tokens(tokens);
    std::uint64_t nodes = 0;
    for (Token token : tokens) {
        Position after = position;
        after.play(token);
        nodes += count_after(after);
    }
    return nodes;
}

// Counts on the shamans and the faces alone, as long as an action leads to no other decision. They are separate
// arguments, `mine` those of the tribe `Me`, so that they stay in registers.
class TurnCounter {
  public:
    explicit TurnCounter(const Position& position) : table_(position) {}

    std::uint64_t count(int depth) {
        const auto [forest, sea] = table_.shamans;
        return table_.active == Forest ? count_turn<Forest>(forest, sea, table_.faces, depth)
                                       : count_turn<Sea>(sea, forest, table_.faces, depth);
    }

  private:
    template <Tribe Me>
    static ActionSets actions(Spaces mine, Spaces theirs, int faces) {
        return ActionSets(mine, theirs, popcount(mine) < ShamansPerTribe, faces, Me);
    }

    // Counts from the start of a turn of `Me`. A tribe without an action has lost (T1), and the count is rightly 0.
    template <Tribe Me>
    std::uint64_t count_turn(Spaces mine, Spaces theirs, int faces, int depth) {
        if (depth == 1) return std::uint64_t(actions<Me>(mine, theirs, faces).count());
        return count_turns<Me>(mine, theirs, faces, depth);
    }

    template <Tribe Me>
    std::uint64_t count_turns(Spaces mine, Spaces theirs, int faces, int depth) {
        const Spaces special = table_.megaliths | completing_spaces(mine, theirs, faces) | ~Field;
        std::uint64_t nodes = 0;
        actions<Me>(mine, theirs, faces).for_each([&](Token token) {
            const Spaces reached = bit(token.target());
            nodes += (reached & special) != 0
                         ? count_special<Me>(mine, theirs, faces, token, depth - 1)
                         : count_turn<enemy_of(Me)>(theirs & ~reached, mine ^ ((bit(token.origin()) & Field) | reached),
                                                    faces ^ token.flips(), depth - 1);
        });
        return nodes;
    }

    // Counts after an action that may lead to another decision. If no token follows that decision, the choices are
    // counted here. Otherwise the whole position plays the action.
    template <Tribe Me>
    std::uint64_t count_special(Spaces mine, Spaces theirs, int faces, Token token, int depth) {
        const auto count_by_position = [&] {
            Position position = table_;
            position.begin_turn(Me, by_tribe<Me>(mine, theirs), faces);
            position.play(token);
            return perft(position, depth);
        };
        const Space target = token.target();
        if (target == Nowhere) return count_by_position();
        const Spaces mine_after = mine ^ ((bit(token.origin()) & Field) | bit(target)),
                     theirs_after = theirs & ~bit(target);
        if ((table_.megaliths & bit(target)) != 0) {
            const Tile tile = table_.tile_at[target];
            if (depth > 1 || tile == PS || tile == TS) return count_by_position();
            Position position = table_;
            position.begin_turn(Me, by_tribe<Me>(mine_after, theirs_after), faces ^ token.flips());
            const int choices = Powers::count(position, tile, Me, target);
            if (choices > 0) return std::uint64_t(choices);  // P1
        }
        const Spaces enemies = transformable_enemies(mine_after, theirs_after, faces, bit(target));
        if (enemies != 0) return depth > 1 ? count_by_position() : std::uint64_t(popcount(enemies) + 1);  // X5
        return count_turn<enemy_of(Me)>(theirs_after, mine_after, faces ^ token.flips(), depth);
    }

    template <Tribe Me>
    static std::array<Spaces, 2> by_tribe(Spaces mine, Spaces theirs) {
        return Me == Forest ? std::array{mine, theirs} : std::array{theirs, mine};
    }

    const Position& table_;  // for everything except the shamans and the faces
};

int count_last(const Position& position) {
    switch (position.phase) {
        case Phase::Power:
            return Powers::count(position, position.power, Tribe(position.decider), position.focus) + position.may_stop;
        case Phase::Draw: return std::max(1, popcount(position.unknown_deck));
        default: return position.count_legal();
    }
}

}  // namespace

std::uint64_t perft(const Position& position, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return std::uint64_t(count_last(position));
    if (position.phase == Phase::Action) return TurnCounter(position).count(depth);
    return sum_over_tokens(position, [&](const Position& after) { return perft(after, depth - 1); });
}

std::uint64_t plain_perft(const Position& position, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return std::uint64_t(position.count_legal());
    return sum_over_tokens(position, [&](const Position& after) { return plain_perft(after, depth - 1); });
}

}  // namespace cairn
