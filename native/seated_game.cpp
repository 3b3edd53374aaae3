#include "seated_game.h"

#include <algorithm>

#include "chance.h"
#include "text.h"

namespace cairn {

namespace {

bool is_tribe(Decider decider) { return decider <= Decider::Sea; }

}  // namespace

SeatedGame::SeatedGame(const Game& game, const Seating& seating) : game_(game), seating_(seating) { number_turns(); }

// Assigns turn numbers to the tokens that have none yet.
void SeatedGame::number_turns() {
    const Moments& moments = game_.moments();
    while (turns_.size() < moments.tokens().size()) {
        const bool begins = moments.before(turns_.size()).phase == Phase::Action;
        turns_.push_back(turns_.empty() ? 1 : turns_.back() + begins);
    }
}

Step SeatedGame::step(int index) const {
    const Moments& moments = game_.moments();
    const auto place = std::size_t(index);
    const bool is_last = index + 1 == count();
    const Position& before = moments.before(place);
    const Position& after = is_last ? moments.now() : moments.before(place + 1);
    const Token token = moments.tokens()[place];
    return {token,
            before.decider,
            before.active,
            turns_[place],
            before.phase,
            tell(before, token, after, is_last && is_repetition()),
            write_position(after)};
}

std::optional<Tribe> SeatedGame::to_move() const {
    if (held_) return held_;
    return is_tribe(game_.decider()) ? std::optional(Tribe(game_.decider())) : std::nullopt;
}

int SeatedGame::computer_level() const {
    return !held_ && is_tribe(game_.decider()) ? seating_.levels[std::size_t(game_.decider())] : 0;
}

int SeatedGame::turn() const {
    if (turns_.empty()) return 1;
    return turns_.back() + (game_.now().phase == Phase::Action && !is_repetition());
}

bool SeatedGame::next_wins() const {
    return is_tribe(game_.decider()) && game_.now().scores[std::size_t(game_.decider())] == PointsToWin - 1;
}

std::vector<Choice> SeatedGame::choices() const {
    if (held_ || !is_tribe(game_.decider()) || !seating_.has_person(Tribe(game_.decider()))) return {};
    return list_choices(game_.now());
}

std::vector<Consequence> SeatedGame::consequences() const {
    return choices().empty() ? std::vector<Consequence>{} : list_consequences(game_.now());
}

// --- Undo and takebacks

// Counts the tokens back to the last decision by one of the tribes, or to the start of one of their turns. A drawn tile
// is never taken back.
Reach SeatedGame::reach(UndoScope scope, const TribeSet& tribes, bool own_only) const {
    for (int back = 1; back <= count(); ++back) {
        const Position& before = game_.moments().before(std::size_t(count() - back));
        if (before.decider == Decider::Chance) return {0, Barrier::Drawn};
        const bool is_theirs = tribes[std::size_t(before.decider)];
        if (own_only && !is_theirs) return {0, Barrier::Other};
        if (scope == UndoScope::Step && is_theirs) return {back};
        if (scope == UndoScope::Turn && before.phase == Phase::Action && tribes[before.active]) return {back};
    }
    return {0, Barrier::Nothing};
}

// In an online game, only the player to move can take back tokens, and only their own. After the end, nobody can.
Reach SeatedGame::undoable(UndoScope scope) const {
    const TribeSet persons{seating_.has_person(Forest), seating_.has_person(Sea)};
    if (!seating_.online) return game_.declared() ? Reach{0, Barrier::Over} : reach(scope, persons, false);
    const auto mover = to_move();
    if (game_.outcome() || !mover) return {0, Barrier::Over};
    if (!seating_.rated && !seating_.has_two_persons()) return reach(scope, persons, false);
    if (!seating_.has_person(*mover)) return {0, Barrier::Other};
    return reach(scope, {*mover == Forest, *mover == Sea}, true);
}

// A takeback may include the other player's decisions.
Reach SeatedGame::takeback(Tribe tribe, UndoScope scope) const {
    if (game_.outcome()) return {0, Barrier::Over};
    return reach(scope, {tribe == Forest, tribe == Sea}, false);
}

UndoOffer SeatedGame::undo_offer() const {
    const Reach step = undoable(UndoScope::Step);
    if (step.tokens == 0) return {step.barrier, step.barrier};  // if no step can be taken back, no turn can either
    return {Barrier::None, undoable(UndoScope::Turn).barrier};
}

// --- Refusals

void SeatedGame::advance(std::int64_t events, bool changed_board) {
    revision_ += events;
    if (changed_board) board_revision_ = revision_;
}

std::optional<Refused> SeatedGame::refuse_play(Tribe tribe, std::int64_t revision) const {
    if (is_stale(revision)) return Refused{"stale-revision"};
    if (game_.outcome()) return Refused{"game-over"};
    if (held_) return Refused{"turn-held", held_};
    if (game_.decider() != Decider(tribe)) return Refused{"wrong-turn", to_move()};
    if (!seating_.has_person(tribe)) return Refused{"computer-decides", tribe};
    return std::nullopt;
}

// The computer searched the board at `revision`, so `revision` must still be the current one.
std::optional<Refused> SeatedGame::refuse_computer(std::int64_t revision) const {
    if (revision != revision_) return Refused{"stale-revision"};
    if (game_.outcome()) return Refused{"game-over"};
    if (held_) return Refused{"turn-held", held_};
    if (computer_level() == 0) return Refused{"wrong-turn", to_move()};
    return std::nullopt;
}

// In an online game, a player who is not to move has to ask for a takeback.
std::optional<Refused> SeatedGame::refuse_undo(std::optional<Tribe> tribe, UndoScope scope,
                                               std::int64_t revision) const {
    if (is_stale(revision)) return Refused{"stale-revision"};
    if (seating_.online) {
        if (game_.outcome()) return Refused{"game-over"};
        if (seating_.has_two_persons() && tribe != to_move()) return Refused{"takeback-needed"};
    }
    if (undoable(scope).tokens == 0) return Refused{"nothing-to-undo"};
    return std::nullopt;
}

std::optional<Refused> SeatedGame::refuse_confirm(std::optional<Tribe> tribe, std::int64_t revision) const {
    if (is_stale(revision)) return Refused{"stale-revision"};
    if (!held_) return Refused{"nothing-to-confirm"};
    if (seating_.online && tribe != held_) return Refused{"wrong-turn", held_};
    return std::nullopt;
}

// --- Changes

std::optional<Fault> SeatedGame::push(std::string_view token) {
    if (auto fault = game_.push(token)) return fault;
    number_turns();
    held_.reset();
    return std::nullopt;
}

std::optional<Tribe> SeatedGame::holder() const {
    const Position& before = game_.moments().before();
    if (game_.phase() == Phase::Draw && is_tribe(before.decider)) return Tribe(before.decider);
    return game_.phase() == Phase::Action ? std::optional(before.active) : std::nullopt;
}

std::optional<Fault> SeatedGame::play(std::string_view token, bool hold, std::string_view key) {
    if (auto fault = push(token)) return fault;
    const Position& before = game_.moments().before();
    const bool in_own_turn = before.decider == Decider(before.active);
    if (hold && (in_own_turn || game_.phase() == Phase::Draw)) held_ = holder();
    draw(key);
    return std::nullopt;
}

void SeatedGame::confirm(std::string_view key) {
    follow_confirmation();
    draw(key);
}

void SeatedGame::draw(std::string_view key) {
    while (game_.phase() == Phase::Draw && !held_) {
        const Moments& moments = game_.moments();
        int number = 0;
        for (std::size_t index = 0; index < moments.tokens().size(); ++index)
            number += moments.before(index).decider == Decider::Chance;
        game_.push(cairn::draw(key, number, game_.now()));
        number_turns();
    }
}

bool SeatedGame::undo(int tokens) {
    if (tokens < 0 || tokens > count()) return false;
    for (int rest = tokens; rest > 0; --rest) game_.pop();
    turns_.resize(std::size_t(count() - tokens));
    held_.reset();
    return true;
}

bool SeatedGame::end(Outcome outcome) {
    if (!game_.end(outcome)) return false;
    held_.reset();
    return true;
}

std::optional<Fault> SeatedGame::follow(std::string_view token, bool hold) {
    if (auto fault = push(token)) return fault;
    if (hold) held_ = holder();
    return std::nullopt;
}

}  // namespace cairn
