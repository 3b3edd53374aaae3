// The fields of each kind of effect, and their values as text.
#include <initializer_list>

#include "json.h"
#include "story.h"
#include "text.h"

namespace cairn {

namespace {

enum class Format { Tribe, Space, Megalith, Tile, Face, Way, Direction, Result, Reason, Number };

struct FieldShape {
    std::string_view name;
    Format format = Format::Number;
};

namespace field {
constexpr FieldShape Tribe{"tribe", Format::Tribe}, Winner{"winner", Format::Tribe};
constexpr FieldShape At{"space", Format::Space}, Origin{"origin", Format::Space}, Target{"target", Format::Space};
constexpr FieldShape Over{"over", Format::Space}, First{"first", Format::Space}, Second{"second", Format::Space};
constexpr FieldShape Start{"start", Format::Space}, End{"end", Format::Space};
constexpr FieldShape Code{"code", Format::Megalith}, Power{"power", Format::Megalith};
constexpr FieldShape Old{"old", Format::Megalith}, New{"new", Format::Megalith};
constexpr FieldShape Tile{"tile", Format::Tile}, Face{"face", Format::Face}, Way{"way", Format::Way};
constexpr FieldShape Direction{"direction", Format::Direction};
constexpr FieldShape Result{"result", Format::Result}, Reason{"reason", Format::Reason};
constexpr FieldShape Slot{"slot", Format::Number}, Score{"score", Format::Number};
}  // namespace field

struct EffectShape {
    std::string_view name;
    std::array<FieldShape, Effect::MaxFields> fields{};  // terminated by an empty name
};

// Indexed by EffectKind.
constexpr std::array<EffectShape, 19> Shapes{{
    {"added", {field::Tribe, field::At, field::Power}},
    {"moved", {field::Tribe, field::Origin, field::Target, field::Way, field::Over, field::Power}},
    {"left", {field::Tribe, field::Origin, field::Way, field::Over, field::Direction, field::Power}},
    {"banished", {field::Tribe, field::At, field::Power}},
    {"shamans-swapped", {field::First, field::Second, field::Power}},
    {"flipped", {field::Tile, field::Face, field::Power}},
    {"activated", {field::Tribe, field::Code, field::At, field::Result}},
    {"copied", {field::Code}},
    {"stopped", {field::Code}},
    {"extra-turn", {field::Tribe, field::Power}},
    {"megalith-moved", {field::Code, field::Origin, field::Target, field::Power}},
    {"megaliths-swapped", {field::First, field::Second, field::Power}},
    {"replaced", {field::At, field::Old, field::New, field::Slot, field::Power}},
    {"built", {field::Tribe, field::Code, field::At, field::Slot, field::Score, field::Power}},
    {"nothing-built", {field::Tribe, field::At}},
    {"drawn", {field::Code, field::Slot}},
    {"transformed", {field::Tribe, field::At, field::Start, field::End}},
    {"passed", {field::Tribe}},
    {"ended", {field::Winner, field::Reason}},
}};
static_assert(Shapes.size() == std::size_t(EffectKind::Ended) + 1);

std::string name_of(std::initializer_list<const char*> names, int index) { return names.begin()[index]; }

std::string write_value(Format format, int value) {
    switch (format) {
        case Format::Tribe: return name_of({"forest", "sea"}, value);
        case Format::Space: return write_space(Space(value));
        case Format::Megalith: return std::string(TileCodes[std::size_t(value)]);
        case Format::Tile: return name_of({"add", "move", "jump", "transformation"}, value);
        case Format::Face: return {FaceLetters[value % 2][std::size_t(value / 2)]};
        case Format::Way: return name_of({"step", "jump", "power"}, value);
        // As on a map: Sea's village is in the north, column a in the west.
        case Format::Direction: return name_of({"n", "ne", "nw", "s", "sw", "se"}, value);
        case Format::Result: return name_of({"choice", "done", "nothing"}, value);
        case Format::Reason: return name_of({"score", "no-action", "repetition"}, value);
        case Format::Number: break;
    }
    return "";
}

}  // namespace

std::string_view effect_name(EffectKind kind) { return Shapes[std::size_t(kind)].name; }

std::vector<EffectField> effect_fields(Effect effect) {
    std::vector<EffectField> fields;
    const EffectShape& shape = Shapes[std::size_t(effect.kind())];
    for (std::size_t index = 0; index < Effect::MaxFields && !shape.fields[index].name.empty(); ++index) {
        const auto [name, format] = shape.fields[index];
        const int value = effect.value(index);
        if (value == Effect::NoValue)
            fields.push_back({name, std::monostate()});
        else if (format == Format::Number)
            fields.push_back({name, value});
        else
            fields.push_back({name, write_value(format, value)});
    }
    return fields;
}

void write_effect(Json& json, Effect effect) {
    json.object([&] {
        json.name("kind");
        json.text(effect_name(effect.kind()));
        for (const EffectField& field : effect_fields(effect)) {
            json.name(field.name);
            if (const int* number = std::get_if<int>(&field.value))
                json.number(*number);
            else if (const std::string* text = std::get_if<std::string>(&field.value))
                json.text(*text);
            else
                json.null();
        }
    });
}

}  // namespace cairn
