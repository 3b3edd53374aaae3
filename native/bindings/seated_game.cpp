#include "seated_game.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "../seated_game.h"
#include "../text.h"
#include "texts.h"

namespace cairn {

using namespace nb::literals;

namespace {

// A name from one of the core's tables. It is interned, because the hundreds of steps of a game share a few names.
nb::object name(std::string_view literal) { return nb::steal(PyUnicode_InternFromString(literal.data())); }

nb::object name_or_none(std::string_view literal) { return literal.empty() ? nb::none() : name(literal); }

nb::object tribe_or_none(std::optional<Tribe> tribe) { return tribe ? name(DeciderNames[*tribe]) : nb::none(); }

Tribe read_tribe(std::string_view name) { return name == DeciderNames[Sea] ? Sea : Forest; }

std::optional<Tribe> read_tribe(std::optional<std::string_view> name) {
    return name ? std::optional(read_tribe(*name)) : std::nullopt;
}

UndoScope scope_of(bool whole_turn) { return whole_turn ? UndoScope::Turn : UndoScope::Step; }

nb::tuple show_step(const Step& step) {
    nb::list effects;
    for (Effect effect : step.effects) effects.append(effect.bits());
    return nb::make_tuple(write_token(step.token), name(DeciderNames[std::size_t(step.by)]),
                          name(DeciderNames[step.active]), step.turn, name(PhaseNames[std::size_t(step.phase)]),
                          nb::tuple(effects), step.position);
}

nb::list show_steps(const SeatedGame& game, int first) {
    nb::list steps;
    for (int index = first; index < game.count(); ++index) steps.append(show_step(game.step(index)));
    return steps;
}

// The fault, or the steps since `first`.
nb::tuple show_result(const SeatedGame& game, const std::optional<Fault>& fault, int first) {
    if (fault) return nb::make_tuple(show_fault(*fault), nb::list());
    return nb::make_tuple(nb::none(), show_steps(game, first));
}

nb::tuple play(SeatedGame& game, const nb::bytes& token, bool hold, const nb::bytes& key) {
    const int first = game.count();
    return show_result(game, game.play(view(token), hold, view(key)), first);
}

nb::tuple follow(SeatedGame& game, const nb::bytes& token, bool hold) {
    const int first = game.count();
    return show_result(game, game.follow(view(token), hold), first);
}

nb::list draw_tiles(SeatedGame& game, const nb::bytes& key) {
    const int first = game.count();
    game.draw(view(key));
    return show_steps(game, first);
}

nb::object show_refused(const std::optional<Refused>& refused) {
    if (!refused) return nb::none();
    return nb::make_tuple(name(refused->kind), tribe_or_none(refused->tribe));
}

// Returns the token, the effects, the tribe that scores, what an activated power lets its owner pick, the lines, the
// transformations that become possible, and whether the activation is ignored.
nb::tuple show_consequence(const Consequence& consequence) {
    nb::list effects, next, lines, transformations;
    for (Effect effect : consequence.effects) effects.append(effect.bits());
    for (Pick pick : consequence.next) next.append(write_pick(pick));
    for (const auto& line : consequence.lines) {
        nb::list spaces;
        for (Space space : line) spaces.append(write_space(space));
        lines.append(spaces);
    }
    for (const Opportunity& each : consequence.transformations)
        transformations.append(nb::make_tuple(write_space(each.enemy), each.scores, each.wins));
    return nb::make_tuple(write_token(consequence.token), nb::tuple(effects), tribe_or_none(consequence.scorer), next,
                          lines, transformations, consequence.ignored);
}

// Returns the position, turn, active tribe, phase, decider, power, focus, whether the next point wins, the choices,
// their consequences, the tribe that has to confirm, and why a step and a turn cannot be taken back.
nb::tuple show_now(const SeatedGame& seated) {
    const Position& now = seated.game().now();
    const Phase phase = seated.game().phase();
    const bool in_power = phase == Phase::Power;
    nb::list choices, consequences;
    for (Choice choice : seated.choices()) choices.append(choice.bits());
    for (const Consequence& consequence : seated.consequences()) consequences.append(show_consequence(consequence));
    const Decider decider = seated.game().decider();
    const UndoOffer offer = seated.undo_offer();
    return nb::make_tuple(
        write_position(now), seated.turn(), name(DeciderNames[now.active]), name(PhaseNames[std::size_t(phase)]),
        decider == Decider::None ? nb::none() : name(DeciderNames[std::size_t(decider)]),
        in_power ? nb::cast(TileCodes[now.power]) : nb::none(),
        in_power || phase == Phase::Build ? nb::cast(write_space(now.focus)) : nb::none(), seated.next_wins(), choices,
        consequences, tribe_or_none(seated.held()), name_or_none(BarrierNames[std::size_t(offer.no_step)]),
        name_or_none(BarrierNames[std::size_t(offer.no_turn)]));
}

}  // namespace

void define_seated_game(nb::module_& module) {
    nb::class_<SeatedGame>(module, "SeatedGame")
        .def(
            "__init__",
            [](SeatedGame* self, const Moments& moments, const OutcomeCode& declared, std::array<int, 2> levels,
               bool online,
               bool rated) { new (self) SeatedGame(Game(moments, read_outcome(declared)), {levels, online, rated}); },
            "moments"_a, "declared"_a.none(), "levels"_a, "online"_a, "rated"_a)
        .def_prop_ro("moments", [](const SeatedGame& self) { return Moments(self.game().moments()); })
        .def_prop_ro("declared_code", [](const SeatedGame& self) { return show_outcome(self.game().declared()); })
        .def_prop_ro("outcome_code", [](const SeatedGame& self) { return show_outcome(self.game().outcome()); })
        .def_prop_ro("is_over", [](const SeatedGame& self) { return self.game().outcome().has_value(); })
        .def_prop_ro("text", [](const SeatedGame& self) { return write_position(self.game().now()); })
        .def_prop_ro("phase_number", [](const SeatedGame& self) { return int(self.game().phase()); })
        .def_prop_ro("decider_number", [](const SeatedGame& self) { return int(self.game().decider()); })
        .def_prop_ro("held_name", [](const SeatedGame& self) { return tribe_or_none(self.held()); })
        .def_prop_ro("to_move_name", [](const SeatedGame& self) { return tribe_or_none(self.to_move()); })
        .def_prop_ro("computer_level", &SeatedGame::computer_level)
        .def_prop_ro("turn", &SeatedGame::turn)
        .def_prop_ro("revision", &SeatedGame::revision)
        .def_prop_ro("board_revision", &SeatedGame::board_revision)
        .def("advance", &SeatedGame::advance, "events"_a, "changed_board"_a)
        .def("is_stale", &SeatedGame::is_stale, "revision"_a)
        .def("now", &show_now)
        .def(
            "undoable",
            [](const SeatedGame& self, bool whole_turn) { return self.undoable(scope_of(whole_turn)).tokens; },
            "whole_turn"_a)
        .def(
            "takeback",
            [](const SeatedGame& self, std::string_view tribe, bool whole_turn) {
                return self.takeback(read_tribe(tribe), scope_of(whole_turn)).tokens;
            },
            "tribe"_a, "whole_turn"_a)
        .def(
            "refuse_play",
            [](const SeatedGame& self, std::string_view tribe, std::int64_t revision) {
                return show_refused(self.refuse_play(read_tribe(tribe), revision));
            },
            "tribe"_a, "revision"_a)
        .def(
            "refuse_computer",
            [](const SeatedGame& self, std::int64_t revision) { return show_refused(self.refuse_computer(revision)); },
            "revision"_a)
        .def(
            "refuse_undo",
            [](const SeatedGame& self, std::optional<std::string_view> tribe, bool whole_turn, std::int64_t revision) {
                return show_refused(self.refuse_undo(read_tribe(tribe), scope_of(whole_turn), revision));
            },
            "tribe"_a.none(), "whole_turn"_a, "revision"_a)
        .def(
            "refuse_confirm",
            [](const SeatedGame& self, std::optional<std::string_view> tribe, std::int64_t revision) {
                return show_refused(self.refuse_confirm(read_tribe(tribe), revision));
            },
            "tribe"_a.none(), "revision"_a)
        .def("play_token", &play, "token"_a, "hold"_a, "key"_a)
        .def("draw_tiles", &draw_tiles, "key"_a)
        .def("take_back", &SeatedGame::undo, "tokens"_a)
        .def(
            "declare", [](SeatedGame& self, const OutcomeCode& outcome) { return self.end(*read_outcome(outcome)); },
            "outcome"_a)
        .def("follow_token", &follow, "token"_a, "hold"_a)
        .def("follow_confirmation", &SeatedGame::follow_confirmation);
}

}  // namespace cairn
