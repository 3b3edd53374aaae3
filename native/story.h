// The effects of a token as data, for sentences in any language, animations and screen readers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "position.h"

namespace cairn {

// The kind of an effect determines its fields; see effect_fields.
enum class EffectKind : std::uint8_t {
    Added,
    Moved,
    Left,
    Banished,
    ShamansSwapped,
    Flipped,
    Activated,
    Copied,
    Stopped,
    ExtraTurn,
    MegalithMoved,
    MegalithsSwapped,
    Replaced,
    Built,
    NothingBuilt,
    Drawn,
    Transformed,
    Passed,
    Ended,
};

// One change that a spectator sees, packed into one word. Bits 0-4: the kind. Then up to six values of five bits each.
class Effect {
  public:
    static constexpr int MaxFields = 6;
    static constexpr int NoValue = 31;  // the same as NoTile and Nowhere
    static_assert(NoValue == NoTile && NoValue == Nowhere);

    constexpr explicit Effect(std::uint64_t bits) : bits_(bits) {}
    template <typename... Values>
    constexpr explicit Effect(EffectKind kind, Values... values) : bits_(std::uint64_t(kind)) {
        int shift = 5;
        ((bits_ |= std::uint64_t(values) << shift, shift += 5), ...);
    }

    constexpr EffectKind kind() const { return EffectKind(bits_ & 31); }
    constexpr int value(std::size_t field) const { return int(bits_ >> (5 * (field + 1)) & 31); }
    constexpr std::uint64_t bits() const { return bits_; }
    constexpr bool operator==(const Effect&) const = default;

  private:
    std::uint64_t bits_;
};

// The effects of a token, in the order in which they happened. `before` and `after` are the moments before and after
// the token. `drawn` says whether the game then ended by repetition (G3), which depends on the whole game.
std::vector<Effect> tell(const Position& before, Token token, const Position& after, bool drawn = false);

// The name of a kind, such as "megalith-moved", and the fields of an effect by name.
struct EffectField {
    std::string_view name;
    std::variant<std::monostate, int, std::string> value;  // std::monostate: no value
};
std::string_view effect_name(EffectKind kind);
std::vector<EffectField> effect_fields(Effect effect);

class Json;
void write_effect(Json& json, Effect effect);

}  // namespace cairn
