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

}  // namespace

std::vector<Consequence> list_consequences(const Position& position) {
    std::vector<Consequence> consequences;
    if (position.phase == Phase::Build) return consequences;
    for (Choice choice : list_choices(position)) {
        Consequence consequence{choice.token()};
        Position after = position;
        after.play(choice.token());
        for (Effect effect : tell(position, choice.token(), after))
            if (is_consequence(effect, choice.token())) consequence.effects.push_back(effect);
        consequence.scorer = find_scorer(position, after);
        if (after.phase == Phase::Power) consequence.next = list_first_picks(after);
        if (choice.token().kind() == Kind::Transform) consequence.lines = find_lines(position, choice.token().space());
        if (!consequence.is_empty()) consequences.push_back(std::move(consequence));
    }
    return consequences;
}

}  // namespace cairn
