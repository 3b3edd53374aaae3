#include "choices.h"

#include <bit>

#include "text.h"

namespace cairn {

namespace {

// The tile that a token takes from an upcoming slot; NoTile if it takes none.
Tile placed_tile(Token token) {
    if (token.kind() == Kind::Build) return token.tile();
    return token.kind() == Kind::Put ? token.put_tile() : NoTile;
}

// See Choice::village.
Tribe picked_village(const Position& position, Token token) {
    if (token.origin() == Nowhere) return Tribe(position.decider);
    return (position.shamans[Forest] & bit(token.origin())) != 0 ? Sea : Forest;  // E1: across the opposing side
}

ActionTile used_tile(Token token) {
    return token.flips() == 0 ? ActionTile::None : ActionTile(std::countr_zero(unsigned(token.flips())));
}

}  // namespace

std::string write_pick(Pick pick) {
    if (pick == PassButton) return "button:pass";
    if (pick == StopButton) return "button:stop";
    if (pick >= FirstActionTile) return "tile:" + std::string(ActionTileNames[std::size_t(pick - FirstActionTile)]);
    if (pick >= FirstSlot) return pick == FirstSlot ? "slot:0" : "slot:1";
    if (pick >= FirstVillage) return pick == FirstVillage ? "village:forest" : "village:sea";
    return write_space(Space(pick));
}

Choice::Choice(const Position& position, Token token) : bits_(token.code()) {
    const bool is_travel = token.kind() == Kind::Travel, in_power = position.phase == Phase::Power;
    const auto set = [&](int shift, std::uint32_t value) { bits_ |= value << shift; };
    set(TileShift, std::uint32_t(used_tile(token)));
    set(PowerShift, token.is_copy() ? token.copied() : in_power ? position.power : NoTile);
    set(VillageShift, is_travel ? picked_village(position, token) : Forest);
    set(SlotShift, placed_tile(token) != NoTile && placed_tile(token) == position.upcoming[1]);
    set(CopiedSlotShift, token.is_copy() && token.copied() == position.upcoming[1]);
    set(FocusShift, is_travel && in_power && token.origin() == position.focus);
    set(EnemyShift, is_travel && token.origin() == Nowhere && (position.occupied() & bit(token.target())) != 0);
}

std::vector<Path> Choice::uncopied_paths() const {
    const Token choice = token();
    const Pick first = Pick(choice.origin()), second = Pick(choice.target());
    switch (choice.kind()) {
        case Kind::Travel: {
            if (choice.origin() == Nowhere)  // the space alone suffices, because no shaman there could move
                return {{village(), second}, {second}};
            const Pick goal = choice.target() == Nowhere ? village() : second;
            if (travels_from_focus()) return {{first, goal}, {goal}};  // Menhir, Cromlech: no other shaman can move
            return {{first, goal}};
        }
        case Kind::Banish:
        case Kind::Transform: return {{first}};
        case Kind::Push: return {{first, second}};
        case Kind::Swap: return {{first, second}, {second, first}};
        case Kind::Put: return {{first, slot()}, {slot(), first}};
        case Kind::Flip: return {{Pick(FirstActionTile + choice.space())}};
        case Kind::Build: return {{slot()}};
        case Kind::Use: return {{}};  // the copied tile's slot is the only pick
        case Kind::Stop: return {{StopButton}};
        case Kind::Pass: return {{PassButton}};
        case Kind::Draw: break;
    }
    return {};
}

std::vector<Path> Choice::paths() const {
    std::vector<Path> paths = uncopied_paths();
    if (token().is_copy())
        for (Path& path : paths) path.insert(path.begin(), copied_slot());
    if (tile() != ActionTile::None) {
        Path with_tile{Pick(FirstActionTile + std::uint8_t(tile()))};
        with_tile.insert(with_tile.end(), paths.back().begin(), paths.back().end());
        paths.push_back(std::move(with_tile));
    }
    // A single pick of an enemy must not banish it (A1).
    if (adds_onto_enemy()) std::erase_if(paths, [](const Path& path) { return path.size() == 1; });
    return paths;
}

std::vector<Choice> list_choices(const Position& position) {
    std::vector<Choice> choices;
    if (position.decider > Decider::Sea) return choices;
    TokenList tokens;
    position.legal_tokens(tokens);
    sort_by_text(tokens);
    choices.reserve(std::size_t(tokens.size()));
    for (Token token : tokens) choices.emplace_back(position, token);
    return choices;
}

}  // namespace cairn
