// Stories: the effects of a token are exactly the changes that it makes.
#include "story.h"

#include <algorithm>
#include <set>

#include "check.h"
#include "samples.h"
#include "text.h"

namespace cairn {

using namespace testing;

namespace {

// A model of the table that knows no rules. It applies effects one by one and checks that each is possible.
struct Picture {
    std::array<Spaces, 2> shamans;
    std::array<Tile, 32> tile_at;
    std::array<Tile, 2> upcoming;
    int faces;
    std::array<std::uint8_t, 2> scores;
    bool possible = true;

    explicit Picture(const Position& position)
        : shamans(position.shamans),
          tile_at(position.tile_at),
          upcoming(position.upcoming),
          faces(position.faces),
          scores(position.scores) {}

    bool shows(const Position& position) const {
        return possible && shamans == position.shamans && tile_at == position.tile_at &&
               upcoming == position.upcoming && faces == position.faces && scores == position.scores;
    }

    void require(bool condition) { possible = possible && condition; }
    void take(int tribe, int space) {
        require((shamans[std::size_t(tribe)] & bit(Space(space))) != 0);
        shamans[std::size_t(tribe)] &= ~bit(Space(space));
    }
    void place(int tribe, int space) {
        require(((shamans[Forest] | shamans[Sea]) & bit(Space(space))) == 0);
        shamans[std::size_t(tribe)] |= bit(Space(space));
    }
    void raise(int tile, int space, int slot) {
        require(tile_at[std::size_t(space)] == NoTile && upcoming[std::size_t(slot)] == tile);
        tile_at[std::size_t(space)] = Tile(tile);
        upcoming[std::size_t(slot)] = NoTile;
    }

    void apply(Effect effect) {
        const auto value = [&](std::size_t field) { return effect.value(field); };
        const auto tile = [&](std::size_t field) -> Tile& { return tile_at[std::size_t(value(field))]; };
        switch (effect.kind()) {
            case EffectKind::Added: place(value(0), value(1)); break;
            case EffectKind::Moved:
                take(value(0), value(1));
                place(value(0), value(2));
                break;
            case EffectKind::Left:
            case EffectKind::Banished: take(value(0), value(1)); break;
            case EffectKind::ShamansSwapped: {
                const int first_owner = (shamans[Forest] & bit(Space(value(0)))) != 0 ? Forest : Sea;
                take(first_owner, value(0));
                take(1 - first_owner, value(1));
                place(first_owner, value(1));
                place(1 - first_owner, value(0));
                break;
            }
            case EffectKind::Flipped:
                faces ^= 1 << value(0);
                require(value(1) == 2 * value(0) + (faces >> value(0) & 1));
                break;
            case EffectKind::MegalithMoved:
                require(tile(1) == value(0) && tile(2) == NoTile);
                std::swap(tile(1), tile(2));
                break;
            case EffectKind::MegalithsSwapped: std::swap(tile(0), tile(1)); break;
            case EffectKind::Replaced:
                require(tile(0) == value(1));
                tile(0) = NoTile;
                raise(value(2), value(0), value(3));
                break;
            case EffectKind::Built:
                if (value(1) != NoTile) raise(value(1), value(2), value(3));
                if (value(4) != Effect::NoValue) require(++scores[std::size_t(value(0))] == value(4));
                break;
            case EffectKind::Drawn:
                require(upcoming[std::size_t(value(1))] == NoTile);
                upcoming[std::size_t(value(1))] = Tile(value(0));
                break;
            case EffectKind::Activated: require(tile(2) == value(1)); break;
            case EffectKind::NothingBuilt: require(tile(1) != NoTile); break;
            default: break;
        }
    }
};

std::string shown(const std::vector<Effect>& effects) {
    std::string text;
    for (Effect effect : effects) {
        text += (text.empty() ? "" : "; ") + std::string(effect_name(effect.kind()));
        for (const EffectField& field : effect_fields(effect)) {
            text += " ";
            if (const int* number = std::get_if<int>(&field.value)) text += std::to_string(*number);
            if (const std::string* words = std::get_if<std::string>(&field.value)) text += *words;
            if (std::holds_alternative<std::monostate>(field.value)) text += "-";
        }
    }
    return text;
}

std::string told(std::string_view position, std::initializer_list<std::string_view> tokens, bool drawn = false) {
    Position before, after = position_of(position);
    Token last;
    for (std::string_view text : tokens) {
        TokenList legal;
        after.legal_tokens(legal);
        const Token* found = std::find(legal.begin(), legal.end(), *read_token(text));
        if (found == legal.end()) return "not legal: " + std::string(text);
        last = *found;
        after.play(last, before);
    }
    return shown(tell(before, last, after, drawn));
}

}  // namespace

TEST(effects_are_the_changes_that_a_token_makes) {
    Random random(1);
    std::set<EffectKind> kinds;
    for (Position position : assorted_positions(1, 300))
        for (int played = 0; played < 80 && !position.is_over(); ++played) {
            const Token token = position.pick_legal(random.next32());
            Position before;
            position.play(token, before);
            Picture picture(before);
            for (Effect effect : tell(before, token, position)) {
                picture.apply(effect);
                kinds.insert(effect.kind());
                CHECK(Effect(effect.bits()) == effect);
            }
            CHECK_IN(write_position(before) + " " + write_token(token), picture.shows(position));
        }
    CHECK_EQUAL(kinds.size(), std::size_t(EffectKind::Ended) + 1);
}

TEST(tokens_have_the_expected_effects) {
    CHECK_EQUAL(told("S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F", {"a1-c3"}),
                "moved forest a1 c3 jump b2 -; flipped jump e -; activated forest FC c3 choice");
    CHECK_EQUAL(told("4F/3F1/5/5/S4 - DRMD - wofm 0-0 F", {"d4-out"}), "left forest d4 jump e5 ne -; flipped jump e -");
    CHECK_EQUAL(told("S3S/5/5/1F3/4F b3TS DRMD - wofm 0-0 F", {"b2-b3"}),
                "moved forest b2 b3 step - -; flipped move d -; activated forest TS b3 done; banished forest b3 TS");
    CHECK_EQUAL(told("S4/5/5/1FF2/4F b3SH DRPS - wofm 0-0 F", {"b2-b3", "PS:use"}), "copied PS; extra-turn forest PS");
    CHECK_EQUAL(told("S4/5/5/1F3/4F b3MD,c3CS DRAD - wofm 0-0 F", {"b2-b3", "b3-c3", "c3-b3", "stop"}), "stopped MD");
    CHECK_EQUAL(told("5/3S1/1SF2/5/F1F2 - ---- - wofm 1-2 S", {"d4-d3", "Tc3"}),
                "transformed sea c3 b3 d3; flipped transformation e -; banished forest c3 -; built sea - c3 - 3 -; "
                "ended sea score");
    CHECK_EQUAL(told("5/5/4S/5/2SFS - ---- - wdfm 0-0 S", {"e3-d2"}),
                "moved sea e3 d2 step - -; flipped move o -; ended sea no-action");
    CHECK_EQUAL(told(BeginnerStart, {"a1-a2"}, true),
                "moved forest a1 a2 step - -; flipped move d -; "
                "ended - repetition");
}

}  // namespace cairn
