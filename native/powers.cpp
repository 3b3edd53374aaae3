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

template <typename Visit>
void for_each_upcoming(const Position& position, Visit visit) {
    for (Tile tile : position.upcoming)
        if (tile != NoTile) visit(tile);
}

Spaces empty_spaces(const Position& position) { return position.unoccupied() & ~position.megaliths; }

// Choices of a power that differ in one argument, one bit each. The token's bits are a linear function of the member.
struct ChoiceSet {
    std::uint32_t base, factor;
    Spaces members;
    Token token(Space member) const { return Token(base + factor * member); }
};

// The choices of a power, as sets. Listing, counting and picking use the same sets, in the same order.
class ChoiceSets {
  public:
    ChoiceSets(const Position& position, Tribe owner, Space stone)
        : position_(position),
          owner_(owner),
          stone_(stone),
          mine_(position.shamans[owner]),
          theirs_(position.shamans[enemy_of(owner)]),
          free_(position.unoccupied()) {}

    template <typename Visit>
    void for_each(Tile tile, Visit visit, std::uint32_t copy = 0) const {
        // Calls `visit` with the tokens whose first or second argument is one of the members.
        const auto first_is = [&](Kind kind, Spaces members) {
            visit(ChoiceSet{copy + Token(kind).bits(), 1, members});
        };
        const auto second_is = [&](Kind kind, Space first, Spaces members) {
            visit(ChoiceSet{copy + Token(kind, first).bits(), 1u << 5, members});
        };
        // P5: on the field, or off it across the opposing side of the shamans' tribe. Nowhere is the last member.
        const auto moves_by_one = [&](Tribe tribe, Spaces shamans) {
            cairn::for_each(shamans, [&](Space origin) {
                const Spaces exit = (LastRow[tribe] & bit(origin)) != 0 ? bit(Nowhere) : 0;
                second_is(Kind::Travel, origin, (adjacent(bit(origin)) & free_) | exit);
            });
        };
        const Tribe foe = enemy_of(owner_);
        const Spaces near = adjacent(bit(stone_)), megaliths = position_.megaliths;
        switch (tile) {
            case CG: first_is(Kind::Banish, theirs_ & FirstRow[owner_]); break;
            case CD:
                if (position_.villages[owner_] != 0) second_is(Kind::Travel, Nowhere, free_ & FirstRow[owner_]);
                break;
            case CS: second_is(Kind::Travel, stone_, megaliths & free_); break;
            case PS:
            case TS: first_is(Kind::Use, 1); break;
            case AD: first_is(Kind::Banish, theirs_ & near); break;
            case DR:
                moves_by_one(owner_, mine_ & near);
                moves_by_one(foe, theirs_ & near);
                break;
            case MD: moves_by_one(owner_, bit(stone_)); break;
            case SA:
                cairn::for_each(megaliths, [&](Space origin) {
                    second_is(Kind::Push, origin, adjacent(bit(origin)) & ~megaliths);
                });
                break;
            case SW:
                cairn::for_each(megaliths, [&](Space first) {
                    second_is(Kind::Swap, first, megaliths & ~(bit(first) | (bit(first) - 1)));
                });
                break;
            case FC: moves_by_one(foe, theirs_); break;
            case HP: moves_by_one(owner_, mine_ & ~bit(stone_)); break;
            case MM: first_is(Kind::Flip, 0b111); break;
            case SS: puts(megaliths, visit, copy); break;
            case HE: puts(empty_spaces(position_), visit, copy); break;
            case WC: cairn::for_each(mine_, [&](Space first) { second_is(Kind::Swap, first, theirs_); }); break;
            case SH:
                for_each_upcoming(position_,
                                  [&](Tile copied) { for_each(copied, visit, Token(0).as_copy_of(copied).bits()); });
                break;
            case TileLimit:
            case NoTile: break;
        }
    }

  private:
    // Puts an upcoming tile on one of the spaces. The members are the two slots.
    template <typename Visit>
    void puts(Spaces spaces, Visit visit, std::uint32_t copy) const {
        const auto [first, second] = position_.upcoming;
        const Spaces slots = Spaces(first != NoTile) | Spaces(second != NoTile) << 1;
        const std::uint32_t factor = (std::uint32_t(second) - std::uint32_t(first)) << 5;
        cairn::for_each(spaces, [&](Space space) {
            visit(ChoiceSet{copy + Token(Kind::Put, space, first).bits(), factor, slots});
        });
    }

    const Position& position_;
    const Tribe owner_;
    const Space stone_;
    const Spaces mine_, theirs_, free_;
};

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
    ChoiceSets(position, owner, stone).for_each(tile, [&](ChoiceSet set) {
        cairn::for_each(set.members, [&](Space member) { tokens.add(set.token(member)); });
    });
}

int Powers::count(const Position& position, Tile tile, Tribe owner, Space stone) {
    int count = 0;
    ChoiceSets(position, owner, stone).for_each(tile, [&](ChoiceSet set) { count += popcount(set.members); });
    return count;
}

Token Powers::pick(const Position& position, Tile tile, Tribe owner, Space stone, bool may_stop, std::uint32_t random) {
    struct Counted {
        ChoiceSet set;
        int before;  // the number of choices in all earlier sets
    };
    std::array<Counted, 64> counted;  // two copied powers, each with at most one set for each space
    std::size_t size = 0;
    int count = 0;
    ChoiceSets(position, owner, stone).for_each(tile, [&](ChoiceSet set) {
        counted[size++] = {set, count};
        count += popcount(set.members);
    });
    const int index = int(std::uint64_t(random) * std::uint64_t(count + may_stop) >> 32);
    if (index == count) return Token(Kind::Stop);
    do --size;
    while (counted[size].before > index);
    return counted[size].set.token(Space(nth_bit(counted[size].set.members, index - counted[size].before)));
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
