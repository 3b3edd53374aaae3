#include "position.h"

#include <algorithm>
#include <utility>

namespace cairn {

void Position::lift_shaman(Tribe tribe, Space space) {
    shamans[tribe] ^= bit(space);
    moved &= ~bit(space);
    ++villages[tribe];
    key ^= Keys.shaman[tribe][space];
}

void Position::place_shaman(Tribe tribe, Space space) {
    shamans[tribe] ^= bit(space);
    moved |= bit(space);
    --villages[tribe];
    key ^= Keys.shaman[tribe][space];
}

void Position::place_megalith(Tile tile, Space space) {
    megaliths |= bit(space);
    tile_at[space] = tile;
    key ^= Keys.megalith[tile][space];
}

Tile Position::lift_megalith(Space space) {
    const Tile tile = std::exchange(tile_at[space], NoTile);
    megaliths &= ~bit(space);
    key ^= Keys.megalith[tile][space];
    return tile;
}

void Position::set_upcoming(int slot_number, Tile tile) {
    Tile& place = upcoming[std::size_t(slot_number)];
    key ^= Keys.upcoming[place][std::size_t(slot_number)] ^ Keys.upcoming[tile][std::size_t(slot_number)];
    place = tile;
}

void Position::put_under_deck(Tile tile) {
    key ^= known_deck_key();
    known_deck[known_count++] = tile;
    key ^= known_deck_key();
}

// Draws are rare, so this simply shifts and rehashes the known part of the deck.
void Position::take_from_deck(Tile tile) {
    key ^= known_deck_key();
    if (unknown_deck != 0) {
        unknown_deck ^= bit(tile);
        key ^= Keys.unknown[tile];
        if (std::has_single_bit(unknown_deck)) {  // the order of a single tile is known
            const Tile last = Tile(std::countr_zero(unknown_deck));
            key ^= Keys.unknown[last];
            unknown_deck = 0;
            std::copy_backward(known_deck.begin(), known_deck.begin() + known_count,
                               known_deck.begin() + known_count + 1);
            known_deck[0] = last;
            ++known_count;
        }
    } else {
        std::copy(known_deck.begin() + 1, known_deck.begin() + known_count, known_deck.begin());
        --known_count;
    }
    key ^= known_deck_key();
}

void Position::flip(int face_set) {
    faces = std::uint8_t(faces ^ face_set);
    key ^= Keys.faces[std::size_t(face_set)];
}

Key Position::known_deck_key() const {
    Key sum = 0;
    for (std::size_t index = 0; index < known_count; ++index)
        sum ^= Keys.known[known_deck[index]][known_count - 1 - index];
    return sum;
}

Key Position::fresh_key() const {
    Key fresh = known_deck_key() ^ Keys.faces[faces] ^ (active == Sea ? Keys.sea_active : 0);
    for (Tribe tribe : {Forest, Sea}) {
        for_each(shamans[tribe], [&](Space space) { fresh ^= Keys.shaman[tribe][space]; });
        fresh ^= Keys.score[tribe][scores[tribe]];
    }
    for_each(megaliths, [&](Space space) { fresh ^= Keys.megalith[tile_at[space]][space]; });
    for (std::size_t place : {0u, 1u}) fresh ^= Keys.upcoming[upcoming[place]][place];
    for (Tiles rest = unknown_deck; rest != 0; rest &= rest - 1)
        fresh ^= Keys.unknown[std::size_t(std::countr_zero(rest))];
    return fresh;
}

namespace {

// The part of the turn's state that can still affect the future in the current phase.
struct TurnState {
    std::uint64_t decision = 0;  // phase, decider, focus, power, slot, and so on, packed
    std::uint64_t chain = 0;     // P6
    Spaces moved = 0;
    Tiles activated_twice_by_sea = 0;

    explicit TurnState(const Position& p) {
        const bool power = p.phase == Phase::Power, build = p.phase == Phase::Build, draw = p.phase == Phase::Draw;
        decision = std::uint64_t(p.phase) | std::uint64_t(p.decider) << 4 | std::uint64_t(p.winner) << 8;
        if (p.phase == Phase::Action || p.phase == Phase::Over) return;
        decision |= std::uint64_t(p.next) << 12;
        decision |= std::uint64_t(power || build ? p.focus : 0) << 16 | std::uint64_t(draw ? p.slot : 0) << 24;
        decision |= std::uint64_t(power ? p.power : 0) << 32 | std::uint64_t(power && p.may_stop) << 40;
        decision |= std::uint64_t((build || draw) && p.transformed) << 41;
        moved = (build || draw) && p.transformed ? 0 : p.moved;
        if (!power) return;
        chain = std::uint64_t(p.activated[Forest]) | std::uint64_t(p.activated[Sea]) << 20 |
                std::uint64_t(p.activated_twice[Forest]) << 40;
        activated_twice_by_sea = p.activated_twice[Sea];
    }
    bool operator==(const TurnState&) const = default;
};

}  // namespace

Key Position::moment_key() const {
    if (phase == Phase::Action) return key;
    const TurnState turn(*this);
    return key ^
           mix(turn.decision ^ mix(turn.chain ^ mix(std::uint64_t(turn.moved) << 32 | turn.activated_twice_by_sea)));
}

bool Position::operator==(const Position& other) const {
    return key == other.key && shamans == other.shamans && megaliths == other.megaliths && tile_at == other.tile_at &&
           upcoming == other.upcoming && unknown_deck == other.unknown_deck && known_count == other.known_count &&
           std::equal(known_deck.begin(), known_deck.begin() + known_count, other.known_deck.begin()) &&
           faces == other.faces && scores == other.scores && active == other.active &&
           TurnState(*this) == TurnState(other);
}

bool Position::is_ok() const {
    if ((shamans[Forest] & shamans[Sea]) != 0 || (occupied() & ~Field) != 0) return false;
    for (Tribe tribe : {Forest, Sea}) {
        if (popcount(shamans[tribe]) + villages[tribe] != ShamansPerTribe) return false;
        if (scores[tribe] > PointsToWin || (scores[tribe] == PointsToWin && !is_over())) return false;
        if ((activated_twice[tribe] & ~activated[tribe]) != 0) return false;
    }

    // Every tile occurs at most once, and tile_at agrees with the set of megaliths.
    Tiles seen = unknown_deck;
    int count = popcount(unknown_deck);
    const auto see = [&](Tile tile) {
        if (tile == NoTile) return;
        seen |= bit(tile);
        ++count;
    };
    for (Space space = 0; space < 32; ++space) {
        if ((tile_at[space] != NoTile) != ((megaliths & bit(space)) != 0)) return false;
        see(tile_at[space]);
    }
    for (Tile tile : upcoming) see(tile);
    std::for_each(known_deck.begin(), known_deck.begin() + known_count, see);
    if ((megaliths & ~Field) != 0 || popcount(seen) != count || std::has_single_bit(unknown_deck)) return false;

    // A slot is empty only if the deck is empty, except while the slot is being filled and after the last point (T6).
    const bool slot_waits = phase == Phase::Draw || phase == Phase::Over;
    for (std::size_t place : {0u, 1u})
        if (upcoming[place] == NoTile && !deck_is_empty() && !slot_waits) return false;
    if (phase == Phase::Draw && (upcoming[slot] != NoTile || deck_is_empty())) return false;

    if ((moved & ~occupied()) != 0) return false;
    if (phase == Phase::Power) {
        const Tribe owner = Tribe(decider);
        if (tile_at[focus] != power || (shamans[owner] & bit(focus)) == 0) return false;
    }
    if (phase == Phase::Build && ((megaliths & bit(focus)) != 0 || !has_upcoming())) return false;
    if (is_over() != (winner != Winner::Nobody)) return false;
    return key == fresh_key();
}

}  // namespace cairn
