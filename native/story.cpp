// Finds the effects of a token by comparing the moments before and after it, so that the effects cannot contradict the
// rules.
#include "story.h"

#include "lines.h"

namespace cairn {

namespace {

enum class Way { Step, Jump, Power };
enum class Result { Choice, Done, Nothing };
enum class EndReason { Points, NoAction, Repetition };
constexpr int TransformationTile = 3;  // after the three action tiles

class Storyteller {
  public:
    Storyteller(const Position& before, const Position& after) : before_(before), after_(after) {}

    std::vector<Effect> tell(Token token, bool drawn) {
        switch (before_.phase) {
            case Phase::Action: act(token); break;
            case Phase::Power: apply(token); break;
            case Phase::Build: build(token.tile()); break;
            case Phase::Draw: add(EffectKind::Drawn, token.tile(), before_.slot); break;
            case Phase::Transform: transform(token); break;
            case Phase::Over: break;
        }
        end(drawn);
        return std::move(effects_);
    }

  private:
    template <typename... Values>
    void add(EffectKind kind, Values... values) {
        effects_.emplace_back(kind, values...);
    }

    // A1-A3. The tile is flipped after the action and before the first power (T2, P2).
    void act(Token token) {
        const Tribe owner = before_.active;
        const Space origin = token.origin(), target = token.target();
        if (origin == Nowhere) {
            if ((before_.occupied() & bit(target)) != 0) banish(enemy_of(owner), target);
            add(EffectKind::Added, owner, target, NoTile);
        } else if (target == Nowhere) {
            leave(owner, origin);
        } else if ((adjacent(bit(origin)) & bit(target)) != 0) {
            add(EffectKind::Moved, owner, origin, target, Way::Step, Nowhere, NoTile);
        } else {
            const int over = (origin + target) / 2;
            add(EffectKind::Moved, owner, origin, target, Way::Jump, over, NoTile);
        }
        flip();
        arrive_or_construct(owner, origin, target);
    }

    // E1. The token does not say in which direction the shaman leaves. If several are possible, report the one that is
    // easiest to follow: straight ahead, or else one that ends beyond the field's edge and not past its corner.
    void leave(Tribe owner, Space origin) {
        const bool steps = (LastRow[owner] & bit(origin)) != 0, diagonal = (before_.faces & MoveDiagonal) != 0;
        const Spaces hurdles = before_.shamans[(before_.faces & JumpEnemy) != 0 ? enemy_of(owner) : owner];
        const int ahead = owner == Forest ? 1 : -1;
        const auto column = [&](int aside) { return column_of(origin) + ahead * aside; };
        const auto is_column = [](int number) { return number >= 0 && number < Columns; };
        const auto hurdle = [&](int aside) { return make_space(column(aside), row_of(origin) + ahead); };
        for (bool past_corner : {false, true})
            for (int aside : {0, 1, -1}) {
                if (is_column(column(steps ? aside : 2 * aside)) == past_corner) continue;
                if (steps && (aside != 0) == diagonal)
                    return add(EffectKind::Left, owner, origin, Way::Step, Nowhere, heading(owner, aside), NoTile);
                if (!steps && is_column(column(aside)) && (hurdles & bit(hurdle(aside))) != 0)
                    return add(EffectKind::Left, owner, origin, Way::Jump, hurdle(aside), heading(owner, aside),
                               NoTile);
            }
    }

    // The direction ahead, or ahead and to the right (1) or left (-1), as an index into the names of directions.
    static int heading(Tribe owner, int aside) { return 3 * owner + (aside == 0 ? 0 : aside > 0 ? 1 : 2); }

    void apply(Token token) {
        if (token.is_copy()) add(EffectKind::Copied, token.copied());
        const Tile power = token.is_copy() ? token.copied() : before_.power;
        const Space first = token.origin(), second = token.target();
        switch (token.kind()) {
            case Kind::Travel: travel(power, first, second); break;
            case Kind::Banish: banish(owner_of(first), first, power); break;
            case Kind::Push: add(EffectKind::MegalithMoved, before_.tile_at[first], first, second, power); break;
            case Kind::Swap:
                add(power == WC ? EffectKind::ShamansSwapped : EffectKind::MegalithsSwapped, first, second, power);
                break;
            case Kind::Put: put(power, first, token.put_tile()); break;
            case Kind::Flip: flip(power); break;
            case Kind::Use: use(power, Tribe(before_.decider), before_.focus); break;
            default: add(EffectKind::Stopped, power); break;
        }
    }

    void travel(Tile power, Space origin, Space target) {
        const Tribe owner = origin == Nowhere ? Tribe(before_.decider) : owner_of(origin);  // P5
        if (origin == Nowhere)
            add(EffectKind::Added, owner, target, power);
        else if (target == Nowhere)
            add(EffectKind::Left, owner, origin, Way::Power, Nowhere, heading(owner, 0), power);
        else
            add(EffectKind::Moved, owner, origin, target, Way::Power, Nowhere, power);
        arrive_or_construct(owner, origin, target);
    }

    void put(Tile power, Space space, Tile tile) {
        const Tile old = before_.tile_at[space];
        if (old != NoTile)
            add(EffectKind::Replaced, space, old, tile, slot_of(tile), power);
        else
            add(EffectKind::Built, before_.decider, tile, space, slot_of(tile), Effect::NoValue, power);
    }

    void build(Tile tile) {
        const Tribe builder = Tribe(before_.decider);
        add(EffectKind::Built, builder, tile, before_.focus, slot_of(tile), after_.scores[builder], NoTile);
    }

    void transform(Token token) {
        const Tribe active = before_.active;
        if (token.kind() == Kind::Pass) return add(EffectKind::Passed, active);
        const LineOfThree line = find_lines(before_, token.space()).front();
        add(EffectKind::Transformed, active, token.space(), line.front(), line.back());
        flip();
        banish(enemy_of(active), token.space());
        construct(active, token.space());
    }

    void arrive_or_construct(Tribe owner, Space origin, Space target) {
        if (target == Nowhere)
            construct(owner, origin);
        else
            arrive(owner, target);
    }

    // P1: a megalith on the space is activated. A power without a choice (Pillars, Tumulus) has already been applied.
    // Such a power ends the chain, so it is activated at most once per turn and always has an effect.
    void arrive(Tribe owner, Space space) {
        const Tile tile = before_.tile_at[space];
        if (tile == NoTile) return;
        const bool applied = tile == PS || tile == TS;
        const Result result = after_.phase == Phase::Power ? Result::Choice : applied ? Result::Done : Result::Nothing;
        add(EffectKind::Activated, owner, tile, space, result);
        if (applied) use(tile, owner, space);
    }

    // The Tumulus banishes its own shaman; the Pillars give an extra turn.
    void use(Tile power, Tribe owner, Space space) {
        if (power == TS)
            banish(owner, space, power);
        else
            add(EffectKind::ExtraTurn, owner, power);
    }

    // E4, E5: adds the result if there is no choice. If there is a choice, the next token makes it.
    void construct(Tribe owner, Space space) {
        if ((before_.megaliths & bit(space)) != 0)
            add(EffectKind::NothingBuilt, owner, space);
        else if (after_.phase != Phase::Build)
            add(EffectKind::Built, owner, NoTile, space, Effect::NoValue, after_.scores[owner], NoTile);
    }

    void banish(Tribe owner, Space space, Tile power = NoTile) { add(EffectKind::Banished, owner, space, power); }

    void flip(Tile power = NoTile) {
        for (int tile = 0; tile <= TransformationTile; ++tile)
            if (((before_.faces ^ after_.faces) >> tile & 1) != 0)
                add(EffectKind::Flipped, tile, 2 * tile + (after_.faces >> tile & 1), power);
    }

    void end(bool drawn) {
        if (drawn) return add(EffectKind::Ended, Effect::NoValue, EndReason::Repetition);
        if (!after_.is_over()) return;
        const Tribe winner = after_.winner == Winner::Forest ? Forest : Sea;
        const bool by_score = after_.scores[winner] == PointsToWin;
        add(EffectKind::Ended, winner, by_score ? EndReason::Points : EndReason::NoAction);
    }

    Tribe owner_of(Space space) const { return (before_.shamans[Forest] & bit(space)) != 0 ? Forest : Sea; }
    int slot_of(Tile tile) const { return before_.upcoming[0] == tile ? 0 : 1; }

    const Position& before_;
    const Position& after_;
    std::vector<Effect> effects_;
};

}  // namespace

std::vector<Effect> tell(const Position& before, Token token, const Position& after, bool drawn) {
    return Storyteller(before, after).tell(token, drawn);
}

}  // namespace cairn
