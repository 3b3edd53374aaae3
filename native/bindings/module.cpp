// The native module `cairn._core`: the Python bindings for the core. Documented in src/cairn/_core.pyi.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>

#include "../choices.h"
#include "../game.h"
#include "../moments.h"
#include "../odds.h"
#include "../perft.h"
#include "../playout.h"
#include "../solve.h"
#include "../story.h"
#include "../text.h"
#include "batch.h"
#include "encoding.h"
#include "engine.h"
#include "legal_moves.h"
#include "playing.h"
#include "processor.h"
#include "review.h"
#include "seated_game.h"
#include "texts.h"
#include "tokens.h"
#include "training.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace cairn {
namespace {

Position read_start(std::string_view text) {
    const auto position = read_position(text);
    if (!position) throw nb::value_error("not a valid position");
    return *position;
}

nb::object code_or_none(Tile tile) { return tile == NoTile ? nb::none() : nb::cast(TileCodes[tile]); }

// Returns the reason why the token cannot be pushed, or None if it can be pushed.
nb::object refusal_of(const Moments& moments, const nb::bytes& token) {
    const std::string_view text(token.c_str(), token.size());
    const auto refused = refusal(moments.now(), outcome_on_board(moments.now()), text);
    return refused ? nb::object(show_fault(*refused)) : nb::none();
}

nb::object pop(Moments& moments) {
    if (moments.tokens().empty()) throw nb::index_error("no token has been pushed");
    return TokenObjects::of(moments.pop());
}

nb::object peek(const Moments& moments) {
    if (moments.tokens().empty()) throw nb::index_error("no token has been pushed");
    return TokenObjects::of(moments.tokens().back());
}

nb::tuple tokens_from(const Moments& moments, std::size_t first) {
    nb::list objects;
    for (std::size_t index = first; index < moments.tokens().size(); ++index)
        objects.append(TokenObjects::of(moments.tokens()[index]));
    return nb::tuple(objects);
}

std::uint64_t count_sequences(const Moments& moments, int depth) {
    if (depth < 0) throw nb::value_error("depth must not be negative");
    Position position = moments.now();
    nb::gil_scoped_release release;
    return perft(position, depth);
}

std::tuple<std::uint64_t, std::array<std::uint64_t, 3>> play_random_games(const Moments& moments, std::uint64_t games,
                                                                          std::uint64_t seed, std::uint64_t limit) {
    const Position position = moments.now();
    nb::gil_scoped_release release;
    const PlayoutTally tally = random_playouts(position, games, seed, limit);
    return {tally.tokens, tally.results};
}

nb::tuple show_tokens(const std::vector<Token>& tokens) {
    nb::list objects;
    for (Token token : tokens) objects.append(TokenObjects::of(token));
    return nb::tuple(objects);
}

// Converts lines to Python tuples: (score, depth, tokens).
nb::list show_lines(std::span<const Line> lines) {
    nb::list shown;
    for (const Line& line : lines) shown.append(nb::make_tuple(line.score, line.depth, show_tokens(line.tokens)));
    return shown;
}

const Position& require_tribe(const Position& root) {
    if (root.decider > Decider::Sea) throw nb::value_error("no tribe decides here: there is nothing to search");
    return root;
}

// A limit of 0 means no limit.
Limits limits_of(std::uint64_t nodes, std::uint64_t depth, int lines) {
    Limits limits;
    if (nodes != 0) limits.nodes = nodes;
    if (depth != 0) limits.depth = int(std::min(depth, std::uint64_t{Limits::MaxDepth}));
    limits.lines = lines;
    return limits;
}

nb::list search(Engine& engine, const Moments& moments, std::uint64_t nodes, std::uint64_t depth, int lines,
                std::int64_t most_ms, std::int64_t wanted_ms, nb::handle report) {
    const Position root = require_tribe(moments.now());
    const std::vector<Key> turn_starts = moments.turn_start_keys();
    const Limits limits = limits_of(nodes, depth, lines);
    const auto tell = [&](const Progress& progress) {
        if (report.is_none()) return;
        nb::gil_scoped_acquire acquire;
        report(progress.nodes, show_lines(progress.lines));
    };
    std::vector<Line> found;
    {
        nb::gil_scoped_release release;
        found = engine.search(root, turn_starts, limits, {most_ms, wanted_ms}, tell);
    }
    return show_lines(found);
}

nb::tuple play_level(Engine& engine, const Moments& moments, int number, std::uint64_t seed, std::uint64_t nodes,
                     std::uint64_t depth, std::int64_t milliseconds) {
    if (number < 1 || number > int(Levels.size())) throw nb::value_error("level must be from 1 to 10");
    const Position root = require_tribe(moments.now());
    const std::vector<Key> turn_starts = moments.turn_start_keys();
    Decision decision;
    {
        nb::gil_scoped_release release;
        decision = engine.play_level(Levels[std::size_t(number - 1)], root, turn_starts, limits_of(nodes, depth, 1),
                                     milliseconds, seed);
    }
    return nb::make_tuple(decision.line.score, decision.depth, show_tokens(decision.line.tokens), decision.nodes);
}

nb::list list_levels() {
    nb::list rows;
    for (const Level& level : Levels)
        rows.append(nb::make_tuple(level.nodes, level.sight, level.lines, level.temperature / 10.0, level.cap));
    return rows;
}

int estimate(const Moments& moments, const Network* network) {
    const Position& now = moments.now();
    if (now.is_over()) throw nb::value_error("the game is over: there is nothing to estimate");
    return network ? NetworkSums().estimate(*network, now, now.active) : evaluate(now, now.active);
}

nb::list list_choices_of(const Moments& moments) {
    nb::list words;
    for (Choice choice : list_choices(moments.now())) words.append(choice.bits());
    return words;
}

// Returns the token, action tile, paths, power, and whether picking a space selects its megalith or its shaman.
nb::tuple describe_choice(std::uint32_t bits) {
    const Choice choice(bits);
    nb::list paths;
    for (const Path& path : choice.paths()) {
        nb::list picks;
        for (Pick pick : path) picks.append(write_pick(pick));
        paths.append(picks);
    }
    nb::object tile = nb::none();
    if (choice.tile() != ActionTile::None) tile = nb::cast(ActionTileNames[std::size_t(choice.tile())]);
    return nb::make_tuple(write_token(choice.token()), tile, paths, code_or_none(choice.power()),
                          choice.aims_at_megalith() ? "megalith" : "shaman");
}

nb::tuple story(const Moments& moments, bool drawn) {
    if (moments.tokens().empty()) throw nb::index_error("no token has been pushed");
    nb::list words;
    for (Effect effect : tell(moments.before(), moments.tokens().back(), moments.now(), drawn))
        words.append(effect.bits());
    return nb::tuple(words);
}

// Returns the kind of an effect, and its fields by name.
nb::tuple describe_effect(std::uint64_t bits) {
    const Effect effect(bits);
    nb::dict fields;
    for (const EffectField& field : effect_fields(effect)) {
        nb::object value = nb::none();
        if (const int* number = std::get_if<int>(&field.value)) value = nb::cast(*number);
        if (const std::string* text = std::get_if<std::string>(&field.value)) value = nb::cast(*text);
        fields[nb::cast(field.name)] = value;
    }
    return nb::make_tuple(effect_name(effect.kind()), fields);
}

nb::object power(const Moments& moments) {
    return code_or_none(moments.now().phase == Phase::Power ? moments.now().power : NoTile);
}

nb::object focus(const Moments& moments) {
    if (moments.now().phase != Phase::Power && moments.now().phase != Phase::Build) return nb::none();
    return nb::cast(write_space(moments.now().focus));
}

// A solver and the flag that stops it.
class StoppableSolver {
  public:
    explicit StoppableSolver(std::size_t megabytes) : solver_(megabytes, stop_) {}

    nb::tuple solve(const Moments& moments, int turns, std::uint64_t nodes) {
        const Question question(moments, turns);
        Solved solved;
        {
            nb::gil_scoped_release release;
            solved = solver_.solve(question.root, question.past, turns, limit(nodes));
        }
        return nb::make_tuple(int(solved.verdict), solved.turns, show_tokens(solved.line), solved.nodes);
    }

    // Returns every moment of the proof as (key, turns, token).
    nb::list prove(const Moments& moments, int tribe_number, int turns, std::uint64_t nodes) {
        const Question question(moments, turns);
        std::vector<ProofStep> steps;
        {
            nb::gil_scoped_release release;
            steps = solver_.prove(question.root, question.past, Tribe(tribe_number), turns, limit(nodes));
        }
        nb::list shown;
        for (const ProofStep& step : steps)
            shown.append(
                nb::make_tuple(step.moment, step.turns, step.token ? TokenObjects::of(*step.token) : nb::none()));
        return shown;
    }

    // Returns every legal token as (token, turns); the turns are None if the search ended first.
    nb::list turns_by_token(const Moments& moments, int tribe_number, int turns, std::uint64_t nodes) {
        const Question question(moments, turns);
        std::vector<TokenTurns> judged;
        {
            nb::gil_scoped_release release;
            judged = solver_.turns_by_token(question.root, question.past, Tribe(tribe_number), turns, limit(nodes));
        }
        nb::list shown;
        for (const TokenTurns& each : judged)
            shown.append(nb::make_tuple(TokenObjects::of(each.token), each.turns ? nb::cast(*each.turns) : nb::none()));
        return shown;
    }

    void stop() { stop_ = true; }
    void arm() { stop_ = false; }

  private:
    struct Question {
        Question(const Moments& moments, int turns) : root(moments.now()), past(moments.turn_start_keys()) {
            if (root.is_over()) throw nb::value_error("the game is over: there is nothing to solve");
            if (turns < 1 || turns > Solver::MaxTurns) throw nb::value_error("turns must be from 1 to 20");
        }
        Position root;
        Past past;
    };
    static std::uint64_t limit(std::uint64_t nodes) {
        return nodes != 0 ? nodes : std::numeric_limits<std::uint64_t>::max();
    }

    std::atomic<bool> stop_{false};
    Solver solver_;
};

nb::object settle_exhaustively(const Moments& moments, int tribe_number, int turns, std::uint64_t nodes) {
    const Position root = moments.now();
    std::optional<bool> won;
    {
        nb::gil_scoped_release release;
        won = wins_exhaustively(root, Tribe(tribe_number), turns, nodes);
    }
    return won ? nb::cast(*won) : nb::none();
}

// Returns every legal token as (token, chance), or None if the node limit was too small.
nb::object chances_of(const Moments& moments, int tribe_number, int turns, std::uint64_t nodes) {
    const Position root = moments.now();
    std::optional<std::vector<TokenChance>> chances;
    {
        nb::gil_scoped_release release;
        chances = chances_by_token(root, Tribe(tribe_number), turns, nodes);
    }
    if (!chances) return nb::none();
    nb::list shown;
    for (const TokenChance& each : *chances) shown.append(nb::make_tuple(TokenObjects::of(each.token), each.chance));
    return shown;
}

}  // namespace

NB_MODULE(CAIRN_MODULE_NAME, module) {
    module.doc() = "The native core of cairn; see cairn._core's stub.";
    module.def("runs_v3", &runs_v3);
    module.def("levels", &list_levels);
    module.attr("LEVEL_MEGABYTES") = LevelMegabytes;

    module.def("describe_choice", &describe_choice, "choice"_a);
    module.def("describe_effect", &describe_effect, "effect"_a);

    LegalMoves::define(module);
    define_training(module);
    define_encoding(module);
    define_batch(module);

    nb::class_<Moments>(module, "Moments", nb::type_slots(playing_slots()))
        .def(
            "__init__", [](Moments* self, std::string_view text) { new (self) Moments(read_start(text)); }, "text"_a)
        .def(nb::init<const Moments&>(), "other"_a)
        .def("pop", &pop)
        .def("peek", &peek)
        .def("forget_history", &Moments::forget_history)
        .def("refusal", &refusal_of, "token"_a)
        .def_prop_ro("is_repetition", &Moments::is_repetition)
        .def("choices", &list_choices_of)
        .def("story", &story, "drawn"_a)
        .def_prop_ro("text", [](const Moments& moments) { return write_position(moments.now()); })
        .def_prop_ro("turn_start", [](const Moments& moments) { return write_position(moments.turn_start()); })
        .def_prop_ro("turn_tokens",
                     [](const Moments& moments) { return tokens_from(moments, moments.turn_start_index()); })
        .def_prop_ro("history", [](const Moments& moments) { return tokens_from(moments, 0); })
        .def_prop_ro("key", [](const Moments& moments) { return moments.now().moment_key(); })
        .def_prop_ro("phase_number", [](const Moments& moments) { return int(moments.now().phase); })
        .def_prop_ro("decider_number", [](const Moments& moments) { return int(moments.now().decider); })
        .def_prop_ro("winner_number", [](const Moments& moments) { return int(moments.now().winner); })
        .def_prop_ro("active_number", [](const Moments& moments) { return int(moments.now().active); })
        .def_prop_ro("points",
                     [](const Moments& moments) {
                         return nb::make_tuple(moments.now().scores[Forest], moments.now().scores[Sea]);
                     })
        .def_prop_ro("power_code", &power)
        .def_prop_ro("focus_name", &focus)
        .def("estimate", &estimate, "network"_a.none() = nb::none())
        .def(
            "same_moment", [](const Moments& a, const Moments& b) { return a.now() == b.now(); }, "other"_a)
        .def("is_ok", [](const Moments& moments) { return moments.now().is_ok(); })
        .def("perft", &count_sequences, "depth"_a)
        .def("random_playouts", &play_random_games, "games"_a, "seed"_a, "limit"_a = std::uint64_t{100'000});

    nb::class_<Engine>(module, "Engine")
        .def(nb::init<std::size_t, int, const Network*>(), "megabytes"_a, "threads"_a, "network"_a.none() = nb::none(),
             nb::keep_alive<1, 4>())
        .def("search", &search, "moments"_a, "nodes"_a, "depth"_a, "lines"_a, "most_ms"_a, "wanted_ms"_a,
             "report"_a.none())
        .def(
            "ponder_hit",
            [](Engine& engine, std::int64_t most_ms, std::int64_t wanted_ms) {
                engine.ponder_hit({most_ms, wanted_ms});
            },
            "most_ms"_a, "wanted_ms"_a)
        .def("play_level", &play_level, "moments"_a, "level"_a, "seed"_a, "nodes"_a, "depth"_a, "milliseconds"_a)
        .def("arm", &Engine::arm)
        .def("stop", &Engine::stop)
        .def("clear", &Engine::clear, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("nodes", &Engine::nodes);

    nb::class_<StoppableSolver>(module, "Solver")
        .def(nb::init<std::size_t>(), "megabytes"_a)
        .def("solve", &StoppableSolver::solve, "moments"_a, "turns"_a, "nodes"_a)
        .def("prove", &StoppableSolver::prove, "moments"_a, "tribe_number"_a, "turns"_a, "nodes"_a)
        .def("turns_by_token", &StoppableSolver::turns_by_token, "moments"_a, "tribe_number"_a, "turns"_a, "nodes"_a)
        .def("arm", &StoppableSolver::arm)
        .def("stop", &StoppableSolver::stop);
    module.def("wins_exhaustively", &settle_exhaustively, "moments"_a, "tribe_number"_a, "turns"_a, "nodes"_a);
    module.def("chances_by_token", &chances_of, "moments"_a, "tribe_number"_a, "turns"_a, "nodes"_a);
    module.attr("CERTAIN_CHANCE") = CertainChance;
    define_review(module);
    define_seated_game(module);
    define_texts(module);
}

}  // namespace cairn
