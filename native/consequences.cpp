#include "consequences.h"

#include <algorithm>

#include "text.h"

namespace cairn {

namespace {

// Whether an effect follows from the token without being part of it.
bool is_consequence(Effect effect, Token token) {
    switch (effect.kind()) {
        case EffectKind::Banished: return token.kind() != Kind::Banish && token.kind() != Kind::Transform;
        case EffectKind::Built: return token.kind() != Kind::Put;
        case EffectKind::Activated:
        case EffectKind::ExtraTurn:
        case EffectKind::NothingBuilt:
        case EffectKind::Ended: return true;
        default: return false;
    }
}

// E4: whoever has to choose a megalith scores a point for it. E5: without a choice, the score has changed already.
std::optional<Tribe> find_scorer(const Position& before, const Position& after) {
    if (after.phase == Phase::Build) return Tribe(after.decider);
    for (Tribe tribe : {Forest, Sea})
        if (after.scores[tribe] != before.scores[tribe]) return tribe;
    return std::nullopt;
}

// The first picks of the shortest paths. In a longer path to the same token, the first pick has no alternative.
std::vector<Pick> list_first_picks(const Position& position) {
    std::vector<Pick> picks;
    for (Choice choice : list_choices(position)) {
        const std::vector<Path> paths = choice.paths();
        const auto shortest = std::min_element(
            paths.begin(), paths.end(), [](const Path& one, const Path& other) { return one.size() < other.size(); });
        const Pick first = shortest->front();
        if (first != StopButton && std::find(picks.begin(), picks.end(), first) == picks.end()) picks.push_back(first);
    }
    return picks;
}

// What each transformation would bring. Precondition: the moment is in phase Transform.
std::vector<Opportunity> list_opportunities(const Position& position) {
    std::vector<Opportunity> opportunities;
    for (Choice choice : list_choices(position)) {
        if (choice.token().kind() != Kind::Transform) continue;
        Position after = position;
        after.play(choice.token());
        const bool scores = find_scorer(position, after).has_value();
        const bool wins = after.is_over() ? after.winner == (position.active == Forest ? Winner::Forest : Winner::Sea)
                                          : scores && position.scores[position.active] + 1 == PointsToWin;
        opportunities.push_back({choice.token().space(), scores, wins});
    }
    return opportunities;
}

// Whether an effect is a third activation, which is ignored (P6). An action starts a new chain.
bool is_ignored(Effect effect, const Position& before) {
    if (effect.kind() != EffectKind::Activated || before.phase != Phase::Power) return false;
    const auto tribe = std::size_t(effect.value(0));
    return (before.activated_twice[tribe] & bit(Tile(effect.value(1)))) != 0;
}

}  // namespace

std::vector<Consequence> list_consequences(const Position& position) {
    std::vector<Consequence> consequences;
    if (position.phase == Phase::Build) return consequences;
    for (Choice choice : list_choices(position)) {
        Consequence consequence{choice.token()};
        Position after = position;
        after.play(choice.token());
        for (Effect effect : tell(position, choice.token(), after)) {
            if (!is_consequence(effect, choice.token())) continue;
            consequence.effects.push_back(effect);
            consequence.ignored |= is_ignored(effect, position);
        }
        consequence.scorer = find_scorer(position, after);
        if (after.phase == Phase::Power) consequence.next = list_first_picks(after);
        if (choice.token().kind() == Kind::Transform) consequence.lines = find_lines(position, choice.token().space());
        if (after.phase == Phase::Transform) consequence.transformations = list_opportunities(after);
        if (!consequence.is_empty()) consequences.push_back(std::move(consequence));
    }
    return consequences;
}

}  // namespace cairn
