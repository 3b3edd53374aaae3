// Tokens, the smallest units of play, each packed into one word.
#pragma once

#include <array>
#include <cassert>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "megaliths.h"
#include "types.h"

namespace cairn {

// The kind of a token determines the meaning of its two arguments.
enum class Kind : std::uint8_t {
    Travel,     // origin, target; the origin of an add and the target of an exit are Nowhere
    Banish,     // space
    Push,       // origin and target of a megalith
    Swap,       // first, second
    Put,        // space, tile
    Flip,       // 0 add, 1 move, 2 jump
    Use,        // -
    Stop,       // -
    Build,      // tile
    Draw,       // tile
    Transform,  // space
    Pass,       // -
};

// Bits 0-4 and 5-9: the arguments. 10-13: the kind. 14-18: the tile whose power is copied, plus one. 20-22: the action
// tile that the token flips, as a bit set. The flips follow from the position and are not part of the token's identity.
class Token {
  public:
    Token() = default;  // uninitialised, so that creating a list of tokens costs nothing
    constexpr explicit Token(std::uint32_t bits) : bits_(bits) {}
    constexpr Token(Kind kind, int first = 0, int second = 0, int flips = 0)
        : bits_(std::uint32_t(first | second << 5 | int(kind) << 10 | flips << FlipShift)) {}

    constexpr Kind kind() const { return Kind(bits_ >> 10 & 15); }
    constexpr Space origin() const { return Space(bits_ & 31); }
    constexpr Space target() const { return Space(bits_ >> 5 & 31); }
    constexpr Space space() const { return origin(); }
    constexpr Tile tile() const { return Tile(bits_ & 31); }
    constexpr Tile put_tile() const { return Tile(bits_ >> 5 & 31); }
    constexpr int flips() const { return int(bits_ >> FlipShift & 7); }
    constexpr bool is_copy() const { return (bits_ >> CopyShift & 31) != 0; }
    constexpr Tile copied() const { return Tile((bits_ >> CopyShift & 31) - 1); }

    // Converts a token to the same choice made through the Shifting Stone, and back.
    constexpr Token as_copy_of(Tile tile) const { return Token(bits_ | std::uint32_t(tile + 1) << CopyShift); }
    constexpr Token without_copy() const { return Token(bits_ & ~(31u << CopyShift)); }

    // Identifies the token. Tokens with the same text have the same code, whatever their flips.
    constexpr std::uint32_t code() const { return bits_ & (CodeLimit - 1); }

    // The index in history tables, in which a choice made through the Shifting Stone counts as the choice itself.
    constexpr std::size_t history_index() const { return without_copy().code(); }
    constexpr std::uint32_t bits() const { return bits_; }
    constexpr bool operator==(Token other) const { return code() == other.code(); }

    static constexpr std::uint32_t CodeLimit = 1u << 19;
    static constexpr int CopyShift = 14, FlipShift = 20;

  private:
    std::uint32_t bits_;
};

// The legal tokens of one moment. The list is longest when the Shifting Stone can copy Sanctuary and Stormwell. With 15
// megaliths on the field, it then has fewer than 8 * 15 + 15 * 14 / 2 + 1 tokens.
class TokenList {
  public:
    static constexpr int Capacity = 256;
    constexpr TokenList() {}  // the tokens stay uninitialised
    constexpr void add(Token token) {
        assert(size_ < Capacity);
        tokens_[std::size_t(size_++)] = token;
    }
    constexpr int size() const { return size_; }
    constexpr Token operator[](int index) const { return tokens_[std::size_t(index)]; }
    constexpr Token& operator[](int index) { return tokens_[std::size_t(index)]; }
    constexpr const Token* begin() const { return tokens_.data(); }
    constexpr const Token* end() const { return tokens_.data() + size_; }
    constexpr Token* begin() { return tokens_.data(); }
    constexpr Token* end() { return tokens_.data() + size_; }

  private:
    std::array<Token, Capacity> tokens_;
    int size_ = 0;
};

// Convert a token to its notation and back. `read_token` returns nothing if the text is not a token.
std::string write_token(Token token);
std::optional<Token> read_token(std::string_view text);

// Sorts the legal tokens of a moment by their notation, in ASCII order.
void sort_by_text(TokenList& tokens);

}  // namespace cairn
