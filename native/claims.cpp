#include "claims.h"

#include <algorithm>

namespace cairn {

namespace {

// Fields of effects, by position; see effects.cpp.
constexpr std::size_t LeftWay = 2, ActivatedResult = 3, MovedTarget = 2, MovedWay = 3, MovedPower = 5;
constexpr int WayStep = 0, WayJump = 1, ResultNothing = 2;
constexpr int AddTile = 0, MoveTile = 1, JumpTile = 2;

// E4, E5: whether a tribe scores with this token. With a choice of megaliths, the next token makes it.
bool has_scored(const Position& before, const Position& after, Tribe tribe) {
    if (after.phase == Phase::Build && after.decider == Decider(tribe)) return true;
    return after.scores[tribe] > before.scores[tribe];
}

// The space on which an event happens; Nowhere for the end of the game.
int event_space(Effect effect) {
    switch (effect.kind()) {
        case EffectKind::Left:
        case EffectKind::Transformed:
        case EffectKind::Banished:
        case EffectKind::Added: return effect.value(1);
        case EffectKind::Moved:
        case EffectKind::Activated: return effect.value(2);
        default: return Nowhere;
    }
}

std::optional<LineEvent> event_of(Effect effect, const Position& before, const Position& after) {
    const auto tribe = Tribe(effect.value(0) & 1);
    const auto make = [&](Claim::Kind kind, Tribe profits) { return LineEvent{kind, profits, effect, 0, 0}; };
    switch (effect.kind()) {
        case EffectKind::Ended:
            if (effect.value(0) == Effect::NoValue) return std::nullopt;
            return make(Claim::Kind::Wins, tribe);
        case EffectKind::Left:
        case EffectKind::Transformed:
            if (!has_scored(before, after, tribe)) return std::nullopt;
            return make(Claim::Kind::Scores, tribe);
        case EffectKind::Banished: return make(Claim::Kind::Banishes, enemy_of(tribe));
        case EffectKind::ExtraTurn: return make(Claim::Kind::ExtraTurn, tribe);
        case EffectKind::Moved:
            if ((LastRow[tribe] & bit(Space(effect.value(MovedTarget)))) == 0) return std::nullopt;
            return make(Claim::Kind::Reaches, tribe);
        case EffectKind::Activated:
            if (effect.value(ActivatedResult) == ResultNothing) return std::nullopt;
            return make(Claim::Kind::Activates, tribe);
        default: return std::nullopt;
    }
}

// The action tile that an event uses; none if a power causes it.
std::optional<int> tile_used_by(Effect effect) {
    if (effect.kind() == EffectKind::Left) {
        if (effect.value(LeftWay) == WayStep) return MoveTile;
        if (effect.value(LeftWay) == WayJump) return JumpTile;
    }
    if (effect.kind() == EffectKind::Moved && effect.value(MovedPower) == NoTile)
        return effect.value(MovedWay) == WayStep ? MoveTile : JumpTile;
    if (effect.kind() == EffectKind::Added && effect.value(2) == NoTile) return AddTile;
    return std::nullopt;
}

// The flip by the first token that turned up the face that the event uses.
std::optional<Effect> cause_of(const LineEvent& event, const LineStory& story, const LineStory& other) {
    const auto tile = tile_used_by(event.effect);
    if (!tile) return std::nullopt;
    std::optional<Effect> cause;
    for (const auto& [token, flip] : story.flips) {
        if (token >= event.token || flip.value(0) != *tile) continue;
        if (token > 0 || cause) return std::nullopt;
        cause = flip;
    }
    for (const auto& [token, flip] : other.flips)
        if (token == 0 && flip.value(0) == *tile) return std::nullopt;
    return cause;
}

// How the other line differs; nothing if the same event happens there at least as soon.
std::optional<Claim::Contrast> contrast_of(const LineEvent& event, const LineStory& other) {
    bool ever = false, same_space = false, as_soon = false;
    for (const LineEvent& each : other.events) {
        if (each.kind != event.kind || each.tribe != event.tribe) continue;
        ever = true;
        same_space |= event_space(each.effect) == event_space(event.effect);
        as_soon |= each.turns <= event.turns;
    }
    if (!ever) return Claim::Contrast::Never;
    if (!same_space && event.kind != Claim::Kind::Wins) return Claim::Contrast::Elsewhere;
    return as_soon ? std::nullopt : std::optional(Claim::Contrast::Later);
}

}  // namespace

LineStory tell_line(const ReviewMoment& start, const std::vector<Token>& tokens) {
    LineStory story;
    ReviewMoment moment = start;
    for (std::size_t index = 0; index < tokens.size() && !moment.is_over(); ++index) {
        TokenList legal;
        moment.position.legal_tokens(legal);
        const Token* token = std::find(legal.begin(), legal.end(), tokens[index]);
        if (token == legal.end()) break;
        const ReviewMoment next = moment.after(*token);
        for (Effect effect : tell(moment.position, *token, next.position, next.is_repetition)) {
            if (effect.kind() == EffectKind::Flipped) story.flips.emplace_back(index, effect);
            if (auto event = event_of(effect, moment.position, next.position)) {
                event->turns = story.turns;
                event->token = index;
                story.events.push_back(*event);
            }
        }
        story.turns += next.position.phase == Phase::Action;
        moment = next;
    }
    story.is_over = moment.is_over();
    story.at_draw = !story.is_over && moment.position.phase == Phase::Draw;
    return story;
}

std::optional<Claim> find_claim(const ReviewMoment& moment, const std::vector<Token>& refutation,
                                const std::vector<Token>& better) {
    const auto decider = Tribe(moment.position.decider);
    const LineStory refuted = tell_line(moment, refutation), improved = tell_line(moment, better);
    std::optional<Claim> best;
    const auto consider = [&](const LineEvent& event, const LineStory& story, const LineStory& other, bool missed) {
        if (event.tribe != (missed ? decider : enemy_of(decider)) || !other.covers(event.turns)) return;
        const auto contrast = contrast_of(event, other);
        if (!contrast) return;
        const Claim claim{event.kind,   event.tribe, missed,
                          event.effect, event.turns, missed ? std::nullopt : cause_of(event, story, other),
                          *contrast};
        // Prefer events that the other line does not have at all, then important ones, then those in the refutation.
        // The first of several comes soonest.
        const auto rank = [](const Claim& each) {
            return 100 * int(each.contrast) + 2 * int(each.kind) + int(each.missed);
        };
        if (!best || rank(claim) < rank(*best)) best = claim;
    };
    for (const LineEvent& event : refuted.events) consider(event, refuted, improved, false);
    for (const LineEvent& event : improved.events) consider(event, improved, refuted, true);
    return best;
}

}  // namespace cairn
