// Lists the spaces, tiles and buttons to pick for each legal token, so that the user interface needs no rules.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "position.h"

namespace cairn {

enum class ActionTile : std::uint8_t { Add, Move, Jump, None };
constexpr std::array<std::string_view, 3> ActionTileNames{"add", "move", "jump"};

// Something that a player can point at. Spaces come first, with their own numbers, then everything else.
enum Pick : std::uint8_t { FirstVillage = 32, FirstSlot = 34, FirstActionTile = 36, PassButton = 39, StopButton };
std::string write_pick(Pick pick);  // "c3", "village:sea", "slot:0", "tile:jump", "button:pass"

// A sequence of picks.
using Path = std::vector<Pick>;

// A legal token and everything that determines its picks, packed into one word that a caller can use as a cache key.
// Bits 0-18: the token's code. 19-20: the action tile. 21-25: the power. 26: the village. 27-28: the slots. 29: whether
// the token moves the shaman on the megalith whose power is being applied. 30: whether it adds a shaman onto an enemy.
class Choice {
  public:
    constexpr explicit Choice(std::uint32_t bits) : bits_(bits) {}
    // Precondition: the token came from legal_tokens at this moment, and a tribe decides.
    Choice(const Position& position, Token token);

    constexpr std::uint32_t bits() const { return bits_; }
    constexpr Token token() const { return Token(bits_ & (Token::CodeLimit - 1)); }
    // The action tile used by the token; None outside of phase Action.
    constexpr ActionTile tile() const { return ActionTile(bits_ >> TileShift & 3); }
    // The megalith whose power the token applies, which may be a copied one; NoTile outside of phase Power.
    constexpr Tile power() const { return Tile(bits_ >> PowerShift & 31); }
    // Whether picking a space selects its megalith even if a shaman stands there, as for Sanctuary, Stormwell and
    // Source.
    constexpr bool aims_at_megalith() const { return power() == SA || power() == SW || power() == SS; }

    // One or more alternative paths. No path is a prefix of another choice's path, so a complete path identifies one
    // token.
    std::vector<Path> paths() const;

  private:
    static constexpr int TileShift = 19, PowerShift = 21, VillageShift = 26, SlotShift = 27, CopiedSlotShift = 28,
                         FocusShift = 29, EnemyShift = 30;

    // The village that an added shaman comes from, or that a leaving shaman enters.
    constexpr Pick village() const { return Pick(FirstVillage + (bits_ >> VillageShift & 1)); }
    constexpr Pick slot() const { return Pick(FirstSlot + (bits_ >> SlotShift & 1)); }
    constexpr Pick copied_slot() const { return Pick(FirstSlot + (bits_ >> CopiedSlotShift & 1)); }
    constexpr bool travels_from_focus() const { return (bits_ >> FocusShift & 1) != 0; }
    constexpr bool adds_onto_enemy() const { return (bits_ >> EnemyShift & 1) != 0; }
    std::vector<Path> uncopied_paths() const;

    std::uint32_t bits_;
};

// A choice for every legal token, in the ASCII order of their texts. Empty unless a tribe decides.
std::vector<Choice> list_choices(const Position& position);

}  // namespace cairn
