// The 17 powers: when they can be applied, their choices and their effects.
#include <cassert>
#include <utility>

#include "position.h"

namespace cairn {

namespace {

// P5: whether any of these shamans, all of one tribe, can be moved one space.
bool can_move_one(const Position& position, Tribe tribe, Spaces shamans) {
    return (adjacent(shamans) & position.unoccupied()) != 0 || (shamans & LastRow[tribe]) != 0;
}

// P5: adds the one-space moves of these shamans, all of one tribe, on the field or off it across their opposing side.
void moves_by_one(const Position& position, Tribe tribe, Spaces shamans, TokenList& tokens) {
    for_each(shamans, [&](Space origin) {
        for_each(adjacent(bit(origin)) & position.unoccupied(),
                 [&](Space target) { tokens.add(Token(Kind::Travel, origin, target)); });
        if ((LastRow[tribe] & bit(origin)) != 0) tokens.add(Token(Kind::Travel, origin, Nowhere));
    });
}

template <typename Visit>
void for_each_upcoming(const Position& position, Visit visit) {
    for (Tile tile : position.upcoming)
        if (tile != NoTile) visit(tile);
}

Spaces empty_spaces(const Position& position) { return position.unoccupied() & ~position.megaliths; }

}  // namespace

bool Powers::can_apply(const Position& position, Tile tile, Tribe owner, Space stone) {
    const Tribe foe = enemy_of(owner);
    const Spaces mine = position.shamans[owner], theirs = position.shamans[foe], free = position.unoccupied();
    switch (tile) {
        case CG: return (theirs & FirstRow[owner]) != 0;
        case CD: return position.villages[owner] != 0 && (free & FirstRow[owner]) != 0;
        case CS: return (position.megaliths & free) != 0;  // `free` excludes the stone, where the shaman stands
        case PS: return true;
        case AD: return (theirs & adjacent(bit(stone))) != 0;
        case DR:
            return can_move_one(position, owner, mine & adjacent(bit(stone))) ||
                   can_move_one(position, foe, theirs & adjacent(bit(stone)));
        case MD: return can_move_one(position, owner, bit(stone));
        case SA: return (adjacent(position.megaliths) & ~position.megaliths) != 0;
        case TS: return true;
        case SW: return popcount(position.megaliths) > 1;
        case FC: return can_move_one(position, foe, theirs);
        case HP: return can_move_one(position, owner, mine & ~bit(stone));
        case MM: return true;
        case SS: return position.has_upcoming();
        case WC: return theirs != 0;
        case SH: {
            bool any = false;
            for_each_upcoming(position, [&](Tile copied) { any |= can_apply(position, copied, owner, stone); });
            return any;
        }
        case HE: return position.has_upcoming() && empty_spaces(position) != 0;
        case TileLimit:
        case NoTile: break;
    }
    return false;
}

void Powers::choices(const Position& position, Tile tile, Tribe owner, Space stone, TokenList& tokens) {
    const Tribe foe = enemy_of(owner);
    const Spaces mine = position.shamans[owner], theirs = position.shamans[foe], free = position.unoccupied();
    switch (tile) {
        case CG:
            for_each(theirs & FirstRow[owner], [&](Space space) { tokens.add(Token(Kind::Banish, space)); });
            break;
        case CD:
            if (position.villages[owner] == 0) break;
            for_each(free & FirstRow[owner], [&](Space space) { tokens.add(Token(Kind::Travel, Nowhere, space)); });
            break;
        case CS:
            for_each(position.megaliths & free, [&](Space target) { tokens.add(Token(Kind::Travel, stone, target)); });
            break;
        case PS:
        case TS: tokens.add(Token(Kind::Use)); break;
        case AD:
            for_each(theirs & adjacent(bit(stone)), [&](Space space) { tokens.add(Token(Kind::Banish, space)); });
            break;
        case DR:
            moves_by_one(position, owner, mine & adjacent(bit(stone)), tokens);
            moves_by_one(position, foe, theirs & adjacent(bit(stone)), tokens);
            break;
        case MD: moves_by_one(position, owner, bit(stone), tokens); break;
        case SA:
            for_each(position.megaliths, [&](Space origin) {
                for_each(adjacent(bit(origin)) & ~position.megaliths,
                         [&](Space target) { tokens.add(Token(Kind::Push, origin, target)); });
            });
            break;
        case SW:
            for_each(position.megaliths, [&](Space first) {
                const Spaces later = position.megaliths & ~(bit(first) | (bit(first) - 1));
                for_each(later, [&](Space second) { tokens.add(Token(Kind::Swap, first, second)); });
            });
            break;
        case FC: moves_by_one(position, foe, theirs, tokens); break;
        case HP: moves_by_one(position, owner, mine & ~bit(stone), tokens); break;
        case MM:
            for (int action_tile : {0, 1, 2}) tokens.add(Token(Kind::Flip, action_tile));
            break;
        case SS:
        case HE:
            for_each(tile == SS ? position.megaliths : empty_spaces(position), [&](Space space) {
                for_each_upcoming(position, [&](Tile put) { tokens.add(Token(Kind::Put, space, put)); });
            });
            break;
        case WC:
            for_each(mine, [&](Space first) {
                for_each(theirs, [&](Space second) { tokens.add(Token(Kind::Swap, first, second)); });
            });
            break;
        case SH:
            for_each_upcoming(position, [&](Tile copied) {
                const int before = tokens.size();
                choices(position, copied, owner, stone, tokens);
                for (int index = before; index < tokens.size(); ++index)
                    tokens[index] = tokens[index].as_copy_of(copied);
            });
            break;
        case TileLimit:
        case NoTile: break;
    }
}

void Powers::apply(Position& position, Tile tile, Tribe owner, Space stone, Token choice) {
    switch (tile) {
        case CG:
        case AD: position.lift_shaman(enemy_of(owner), choice.space()); return position.offer_transformation();
        case CD: position.place_shaman(owner, choice.target()); return position.arrive(owner, choice.target());
        case CS:
        case MD:
        case HP: return position.travel(owner, choice.origin(), choice.target());
        case FC: return position.travel(enemy_of(owner), choice.origin(), choice.target());
        case DR: {
            const bool own = (position.shamans[owner] & bit(choice.origin())) != 0;
            return position.travel(own ? owner : enemy_of(owner), choice.origin(), choice.target());
        }
        case PS: position.next = owner; return position.offer_transformation();
        case TS: position.lift_shaman(owner, stone); return position.offer_transformation();
        case SA:
            position.place_megalith(position.lift_megalith(choice.origin()), choice.target());
            return position.offer_transformation();
        case SW: {
            const Tile first = position.lift_megalith(choice.origin());
            const Tile second = position.lift_megalith(choice.target());
            position.place_megalith(second, choice.origin());
            position.place_megalith(first, choice.target());
            return position.offer_transformation();
        }
        case MM: position.flip(1 << choice.space()); return position.offer_transformation();
        case SS: position.put_under_deck(position.lift_megalith(choice.space())); [[fallthrough]];
        case HE: {
            const int emptied = position.slot_of(choice.put_tile());
            position.place_megalith(choice.put_tile(), choice.space());
            position.set_upcoming(emptied, NoTile);
            return position.fill_slot(emptied);
        }
        case WC: {
            const Tribe foe = enemy_of(owner);
            position.lift_shaman(owner, choice.origin());
            position.lift_shaman(foe, choice.target());
            position.place_shaman(owner, choice.target());
            position.place_shaman(foe, choice.origin());
            return position.offer_transformation();
        }
        case SH: return apply(position, choice.copied(), owner, stone, choice.without_copy());
        case TileLimit:
        case NoTile: assert(false); return;
    }
}

}  // namespace cairn
