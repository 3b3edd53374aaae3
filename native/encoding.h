// Numbers for tokens and positions, for programs that learn to play. docs/environments.md describes them.
//
// Everything is seen from a tribe's chair. A place is 5 * row + column, counted from the tribe's own village and left
// hand, so Sea's view is turned by half a turn. An upcoming tile is named by its slot. The same situation thus has the
// same numbers for both tribes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "network.h"
#include "position.h"

namespace cairn {

// The version of all numbers below. It changes if a number changes its meaning.
constexpr int EncodingVersion = 1;

// Tokens. Each constant is the first number of a group; the comment says what to add to it and how many numbers follow.
namespace token_id {
constexpr int Places = Rows * Columns, Directions = 8, Pairs = Places * (Places - 1) / 2;

// The choices of an action or a power.
constexpr int Add = 0;                            // + column: 5; shamans are added only in their first row
constexpr int Travel = Add + Columns;             // + 25 * origin + target: 625; the origin as target is an exit
constexpr int Banish = Travel + Places * Places;  // + place: 25
constexpr int Push = Banish + Places;             // + 8 * origin + direction: 200; clockwise from straight ahead
constexpr int Swap = Push + Directions * Places;  // + high * (high - 1) / 2 + low, for places low < high: 300
constexpr int Flip = Swap + Pairs;                // + 0 add, 1 move, 2 jump: 3
constexpr int Put = Flip + 3;                     // + 25 * slot + place: 50
constexpr int Choices = Put + 2 * Places;

// The same choices made through the Shifting Stone, and everything else.
constexpr int Copy = Choices;             // + Choices * slot + choice: 2 * Choices
constexpr int Use = Copy + 2 * Choices;   // + slot: 2; a copied power without a choice
constexpr int Stop = Use + 2;             // 1
constexpr int Build = Stop + 1;           // + slot: 2
constexpr int Transform = Build + 2;      // + place: 25
constexpr int Pass = Transform + Places;  // 1
constexpr int Actions = Pass + 1;         // tribes choose among the numbers below this one
constexpr int Draw = Actions;             // + tile: 17; only chance chooses these
constexpr int Count = Draw + TileLimit;
}  // namespace token_id

// The number of a token. Precondition: the token came from legal_tokens at this moment.
int encode(const Position& position, Token token);

// The token that a number stands for at this moment, with its flips. Nothing if it stands for none; if it stands for
// one, the token may still be illegal.
std::optional<Token> decode(const Position& position, int id);

// The numbers of the legal tokens, in no particular order.
class LegalIds {
  public:
    LegalIds() {}  // the numbers stay uninitialised
    explicit LegalIds(const Position& position) { list(position); }
    void list(const Position& position);
    int size() const { return size_; }
    std::uint16_t operator[](int index) const { return ids_[std::size_t(index)]; }
    const std::uint16_t* begin() const { return ids_.data(); }
    const std::uint16_t* end() const { return ids_.data() + size_; }

  private:
    std::array<std::uint16_t, TokenList::Capacity> ids_;
    int size_ = 0;
};

// Observations. An observation is a row of bytes. The first bytes are the inputs of the network (network.h), without
// those for things close together, so that programs can share features with the engine. All values are 0 or 1 unless a
// comment says otherwise.
namespace observed {
constexpr int Inputs = 0;                                 // the things in a view of network.h: 510
constexpr int Focus = Inputs + input::Things;             // + place: where to build, or the activated megalith: 25
constexpr int Moved = Focus + token_id::Places;           // + place: shamans moved or added this turn (X2): 25
constexpr int Slots = Moved + token_id::Places;           // + 17 * slot + tile: 34
constexpr int UnknownDeck = Slots + 2 * TileLimit;        // + tile: in the deck, in unknown order: 17
constexpr int KnownDeck = UnknownDeck + TileLimit;        // + tile: its rank in the known part of the deck, from 1: 17
constexpr int Faces = KnownDeck + TileLimit;              // black, diagonal, enemy, end: 4
constexpr int Phases = Faces + 4;                         // action, build, draw, power, transform, over: 6
constexpr int Decides = Phases + 6;                       // the viewer decides, the enemy decides: 2
constexpr int Active = Decides + 2;                       // it is the viewer's turn: 1
constexpr int Next = Active + 1;                          // the next turn is the viewer's (T5): 1
constexpr int Power = Next + 1;                           // + tile: the activated megalith: 17
constexpr int MayStop = Power + TileLimit;                // the power may be declined (P6): 1
constexpr int Transformed = MayStop + 1;                  // the transformation of this turn is done: 1
constexpr int OwnActivated = Transformed + 1;             // + tile: activated by the viewer in this chain (P6): 17
constexpr int EnemyActivated = OwnActivated + TileLimit;  // the same for the enemy: 17
constexpr int OwnTwice = EnemyActivated + TileLimit;      // + tile: activated twice by the viewer: 17
constexpr int EnemyTwice = OwnTwice + TileLimit;          // the same for the enemy: 17
constexpr int Repeats = EnemyTwice + TileLimit;  // how often this turn's first position stood before, up to 2: 1
constexpr int Size = Repeats + 1;
}  // namespace observed

// Writes the observation of a moment, as `viewer` sees it, into `observed::Size` bytes. Equal moments have equal
// observations, and an observation determines the moment. `repeats` is the number of earlier turns of the game that
// began with the same position as this one (G3).
void observe(const Position& position, Tribe viewer, int repeats, std::uint8_t* observation);

// The names of all groups with their first numbers, for the fact sheet in docs/environments.md.
struct EncodingGroup {
    std::string_view name;
    int first, count;
};
std::span<const EncodingGroup> token_groups();
std::span<const EncodingGroup> observation_groups();

}  // namespace cairn
