// The active player's actions (A1-A3), as bit sets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "directions.h"
#include "position.h"

namespace cairn {

// Converts a bit of ActionSets to a token. The token's bits are a linear function of the space. For a move or jump, the
// space is the target, and the space minus the distance is the origin. For an exit, the space is the origin.
struct WayToAct {
    std::uint32_t base, factor;
    constexpr Token token(int space) const { return Token(base + factor * std::uint32_t(space)); }
};

constexpr std::array<WayToAct, 14> ways_to_act(bool diagonal) {
    const auto travel_by = [](int distance, int flips) {
        return WayToAct{Token(Kind::Travel, 0, 0, flips).bits() - std::uint32_t(distance), 1u | 1u << 5};
    };
    const auto exit_with = [](int flips) { return WayToAct{Token(Kind::Travel, 0, Nowhere, flips).bits(), 1u}; };

    std::array<WayToAct, 14> ways{};
    std::size_t way = 0;
    for (int axis : diagonal ? DiagonalAxes : OrthogonalAxes)
        for (int distance : {axis, -axis}) ways[way++] = travel_by(distance, MoveDiagonal);
    for (int axis : Axes)
        for (int distance : {2 * axis, -2 * axis}) ways[way++] = travel_by(distance, JumpEnemy);
    ways[way++] = exit_with(MoveDiagonal);
    ways[way++] = exit_with(JumpEnemy);
    return ways;
}

inline constexpr std::array<std::array<WayToAct, 14>, 2> WaysToAct{ways_to_act(false), ways_to_act(true)};

// A set of actions, one bit for each. There are seven words of two halves each; in half h, each bit is a space with
// which the h-th way to act is possible. A multiplication and an addition turn the bit and the half into the token.
// Actions can thus be counted, listed or picked at random without iterating over the shamans.
class ActionSets {
  public:
    static constexpr int Words = 7;

    // The actions of the tribe `me`, as if it were that tribe's turn.
    ActionSets(const Position& position, Tribe me)
        : ActionSets(position.shamans[me], position.shamans[enemy_of(me)], position.villages[me] != 0, position.faces,
                     me) {}

    // The same, given only what actions depend on.
    ActionSets(Spaces mine, Spaces theirs, bool has_village_shaman, int faces, Tribe me)
        : diagonal_((faces & MoveDiagonal) != 0) {
        const Spaces free = Field & ~(mine | theirs);

        // A2: one step along the two axes of the visible face, in both directions. A3: over a friend or over an enemy.
        const Spaces over = (faces & JumpEnemy) != 0 ? theirs : mine;
        const Directions steps = Directions::all(mine).step();
        const auto moves = (steps & Directions::all(free)).words();
        const auto jumps = ((steps & Directions::all(over)).step() & Directions::all(free)).words();
        words_ = {moves[diagonal_ ? 2 : 0], moves[diagonal_ ? 3 : 1], jumps[0], jumps[1], jumps[2], jumps[3], 0};

        // E1: a shaman in the last row can step off the field with either face. A jump off the field starts in the row
        // before the last.
        const Spaces hurdles = over & LastRow[me], beside = hurdles | hurdles << 1 | hurdles >> 1;
        const Spaces jumpers = mine & RowBeforeLast[me] & (beside << Width | beside >> Width);
        words_[6] = pair(mine & LastRow[me], jumpers);

        // A1: the add action has its own bit, outside the field.
        totem_ = Totem[me][faces & AddBlack];
        const bool can_add = has_village_shaman && (mine & bit(totem_)) == 0;
        words_[6] |= std::uint64_t(can_add) << AddBit;
    }

    int count() const { return popcount7(words_); }
    bool any() const {
        return (words_[0] | words_[1] | words_[2] | words_[3] | words_[4] | words_[5] | words_[6]) != 0;
    }

    // The spaces that shamans can reach with an action.
    Spaces targets() const {
        const std::uint64_t both = words_[0] | words_[1] | words_[2] | words_[3] | words_[4] | words_[5];
        return Spaces(both) | Spaces(both >> 32) | (words_[6] >> AddBit & 1 ? bit(totem_) : 0);
    }
    // The spaces from which a shaman can leave the field with a step, and with a jump.
    Spaces steps_out() const { return Spaces(words_[6]) & Field; }
    Spaces jumps_out() const { return Spaces(words_[6] >> 32); }

    template <typename Visit>
    void for_each(Visit visit) const {
        for (std::size_t word = 0; word < Words; ++word)
            for (std::uint64_t rest = words_[word]; rest != 0; rest &= rest - 1)
                visit(token(word, std::countr_zero(rest)));
    }
    void list(TokenList& tokens) const {
        for_each([&](Token token) { tokens.add(token); });
    }

    // The action that is written like `named`, together with the tile that it flips; nothing if it is not in the set.
    std::optional<Token> find(Token named) const {
        if (named == add()) return words_[6] >> AddBit & 1 ? std::optional(add()) : std::nullopt;
        for (std::size_t way = 0; way < 14; ++way) {
            const Space space = way < 12 ? named.target() : named.origin();
            const Token token = WaysToAct[diagonal_][way].token(space);
            if (token == named && (half(way) & bit(space)) != 0) return token;
        }
        return std::nullopt;
    }

    // The token chosen by a number drawn uniformly from [0, 2^32). Precondition: there is an action.
    Token pick(std::uint32_t random) const {
        // Everything waits for this choice, so the sums are written as trees, and nothing branches.
        std::array<int, Words> counts{};
        for (std::size_t word = 0; word < Words; ++word) counts[word] = popcount(words_[word]);
        const int two = counts[0] + counts[1], four = two + (counts[2] + counts[3]),
                  six = four + (counts[4] + counts[5]);
        const std::array<int, Words> before{0, counts[0], two, two + counts[2], four, four + counts[4], six};
        const int index = int(std::uint64_t(random) * std::uint64_t(six + counts[6]) >> 32);
        const std::size_t word =
            std::size_t(((index >= before[1]) + (index >= before[2])) + ((index >= before[3]) + (index >= before[4])) +
                        ((index >= before[5]) + (index >= before[6])));
        return token(word, nth_bit(words_[word], index - before[word]));
    }

  private:
    static constexpr int AddBit = 30;

    static constexpr std::uint64_t pair(Spaces low, Spaces high) { return low | std::uint64_t(high) << 32; }

    Token add() const { return Token(Kind::Travel, Nowhere, totem_, AddBlack); }
    Spaces half(std::size_t way) const { return Spaces(words_[way / 2] >> (way % 2 * 32)); }

    Token token(std::size_t word, int index) const {
        if (word == 6 && index == AddBit) return add();
        return WaysToAct[diagonal_][2 * word + std::size_t(index >> 5)].token(index & 31);
    }

    std::array<std::uint64_t, Words> words_;
    bool diagonal_;
    Space totem_;
};

}  // namespace cairn
