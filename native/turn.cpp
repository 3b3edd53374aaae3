// The course of a turn (rules T, E and X). Each function below leads to the next one or stops at a decision.
#include <cassert>

#include "actions.h"
#include "position.h"
#include "transformation.h"

namespace cairn {

void Position::play(Token token) {
    switch (phase) {
        case Phase::Action: act(token); break;
        case Phase::Build: build(token.tile()); break;
        case Phase::Draw: draw(token.tile()); break;
        case Phase::Power:
            if (token.kind() == Kind::Stop)
                offer_transformation();
            else
                Powers::apply(*this, power, Tribe(decider), focus, token);
            break;
        case Phase::Transform:
            if (token.kind() == Kind::Pass)
                end_turn();
            else
                transform(token.space());
            break;
        case Phase::Over: assert(false); break;
    }
    assert(is_ok());
}

void Position::begin_turn() {
    moved = 0;
    next = enemy_of(active);
    phase = Phase::Action;
    decider = Decider(active);
    if (!has_action()) finish(enemy_of(active));  // T1
}

void Position::begin_turn(Tribe tribe, const std::array<Spaces, 2>& shamans_by_tribe, int face_set) {
    for (Tribe owner : {Forest, Sea}) {
        const Spaces changed = shamans[owner] ^ shamans_by_tribe[owner];
        for_each(changed, [&](Space space) { key ^= Keys.shaman[owner][space]; });
        shamans[owner] = shamans_by_tribe[owner];
        villages[owner] = std::uint8_t(ShamansPerTribe - popcount(shamans[owner]));
    }
    flip(faces ^ face_set);
    next = tribe;
    end_turn();
}

bool Position::has_action() const {
    // A shaman can nearly always move. Compute all actions only if none can.
    const Spaces mine = shamans[active], free = unoccupied();
    const auto [first_axis, second_axis] = (faces & MoveDiagonal) != 0 ? DiagonalAxes : OrthogonalAxes;
    const Spaces reached = (mine << first_axis) | (mine >> first_axis) | (mine << second_axis) | (mine >> second_axis);
    if (((reached & free) | (mine & LastRow[active])) != 0) return true;
    return ActionSets(*this, active).count() != 0;
}

// T2. Adding, moving, jumping and leaving share one code path: Nowhere stands for the village, and its bit is off the
// field.
void Position::act(Token token) {
    const Tribe me = active, foe = enemy_of(me);
    const Space origin = token.origin(), target = token.target();
    const Spaces reached = bit(target) & Field;
    const Spaces struck = shamans[foe] & reached;  // A1; steps and jumps end on free spaces
    shamans[me] ^= (bit(origin) & Field) | reached;
    shamans[foe] ^= struck;
    villages[me] = std::uint8_t(villages[me] + (target == Nowhere) - (origin == Nowhere));
    villages[foe] = std::uint8_t(villages[foe] + (struck != 0));
    key ^= Keys.shaman[me][origin] ^ Keys.shaman[me][target] ^ (struck != 0 ? Keys.shaman[foe][target] : 0);
    flip(token.flips());
    moved = reached;
    transformed = false;

    if (target == Nowhere) {
        construct(me, origin);  // E2
    } else if ((megaliths & reached) != 0) {
        activated = activated_twice = {};  // P6 counts from the beginning of the chain
        activate(me, target);
    } else {
        offer_transformation();
    }
}

// A power moves a shaman to a space or off the field (P3, P5).
void Position::travel(Tribe tribe, Space origin, Space target) {
    lift_shaman(tribe, origin);
    if (target == Nowhere) {
        construct(tribe, origin);  // E2: the shaman's owner constructs, even if the other tribe moved the shaman
    } else {
        place_shaman(tribe, target);
        arrive(tribe, target);
    }
}

void Position::arrive(Tribe owner, Space space) {
    if ((megaliths & bit(space)) != 0)
        activate(owner, space);
    else
        offer_transformation();
}

void Position::activate(Tribe owner, Space space) {
    const Tile tile = tile_at[space];
    const Tiles again = activated[owner] & bit(tile);
    if ((activated_twice[owner] & bit(tile)) != 0) return offer_transformation();  // P6: a third arrival
    activated[owner] |= bit(tile);
    activated_twice[owner] |= again;

    // Powers without a choice take effect immediately.
    if (tile == PS || tile == TS) return Powers::apply(*this, tile, owner, space, Token(Kind::Use));
    if (!Powers::can_apply(*this, tile, owner, space)) return offer_transformation();  // P1
    phase = Phase::Power;
    decider = Decider(owner);
    focus = space;
    power = tile;
    may_stop = again != 0;
}

// E4, E5.
void Position::construct(Tribe player, Space space) {
    if ((megaliths & bit(space)) != 0) return continue_turn();
    if (!has_upcoming()) {
        score(player);
        if (!is_over()) continue_turn();
        return;
    }
    phase = Phase::Build;
    decider = Decider(player);
    focus = space;
}

void Position::build(Tile tile) {
    const int emptied = slot_of(tile);
    place_megalith(tile, focus);
    set_upcoming(emptied, NoTile);
    score(Tribe(decider));
    if (!is_over()) fill_slot(emptied);
}

void Position::score(Tribe player) {
    std::uint8_t& points = scores[player];
    key ^= Keys.score[player][points] ^ Keys.score[player][points + 1u];
    if (++points == PointsToWin) finish(player);  // T6
}

void Position::fill_slot(int slot_number) {
    if (deck_is_empty()) return continue_turn();  // E5
    phase = Phase::Draw;
    decider = Decider::Chance;
    slot = std::uint8_t(slot_number);
}

void Position::draw(Tile tile) {
    take_from_deck(tile);
    set_upcoming(slot, tile);
    continue_turn();
}

void Position::continue_turn() {
    if (transformed)
        end_turn();
    else
        offer_transformation();
}

Spaces Position::transformable() const {
    return transformable_enemies(shamans[active], shamans[enemy_of(active)], faces, moved);
}

// T4.
void Position::offer_transformation() {
    if (transformable() == 0) return end_turn();
    phase = Phase::Transform;
    decider = Decider(active);
}

// X3.
void Position::transform(Space space) {
    flip(TransformEnd);
    lift_shaman(enemy_of(active), space);
    transformed = true;
    construct(active, space);
}

// T5.
void Position::end_turn() {
    if (next != active) key ^= Keys.sea_active;
    active = next;
    begin_turn();
}

void Position::finish(Tribe winning_tribe) {
    phase = Phase::Over;
    decider = Decider::None;
    winner = winning_tribe == Forest ? Winner::Forest : Winner::Sea;
}

void Position::legal_tokens(TokenList& tokens) const {
    switch (phase) {
        case Phase::Action: ActionSets(*this, active).list(tokens); break;
        case Phase::Build:
            for (Tile tile : upcoming)
                if (tile != NoTile) tokens.add(Token(Kind::Build, tile));
            break;
        case Phase::Draw:
            if (unknown_deck == 0) tokens.add(Token(Kind::Draw, known_deck[0]));
            for (Tiles rest = unknown_deck; rest != 0; rest &= rest - 1)
                tokens.add(Token(Kind::Draw, std::countr_zero(rest)));
            break;
        case Phase::Power:
            Powers::choices(*this, power, Tribe(decider), focus, tokens);
            if (may_stop) tokens.add(Token(Kind::Stop));
            break;
        case Phase::Transform:
            for_each(transformable(), [&](Space space) { tokens.add(Token(Kind::Transform, space)); });
            tokens.add(Token(Kind::Pass));
            break;
        case Phase::Over: break;
    }
}

int Position::count_legal() const {
    if (phase == Phase::Action) return ActionSets(*this, active).count();
    TokenList tokens;
    legal_tokens(tokens);
    return tokens.size();
}

Token Position::pick_legal(std::uint32_t random) const {
    if (phase == Phase::Action) return ActionSets(*this, active).pick(random);
    if (phase == Phase::Power) return Powers::pick(*this, power, Tribe(decider), focus, may_stop, random);
    TokenList tokens;
    legal_tokens(tokens);
    return tokens[int(std::uint64_t(random) * std::uint64_t(tokens.size()) >> 32)];
}

}  // namespace cairn
