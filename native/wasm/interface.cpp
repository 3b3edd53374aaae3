// The core as a page sees it: one game, driven by calls that answer in JSON. web/core/core.ts is the other side.
//
// A text argument is written to the memory at `input(size)` before the call, which gets its size. Every call that
// answers leaves its text at `output()` and returns its size; the next call overwrites it.
#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>

#include "../choices.h"
#include "../levels.h"
#include "../moments.h"
#include "../perft.h"
#include "../story.h"
#include "../text.h"
#include "json.h"

#define CAIRN_EXPORT(name) extern "C" __attribute__((export_name(#name), used))

extern "C" __attribute__((import_module("cairn"), import_name("should_stop"))) int cairn_should_stop();

namespace cairn {

namespace {

constexpr std::array<std::string_view, 6> PhaseNames{"action", "build", "draw", "power", "transform", "over"};
constexpr std::array<std::string_view, 3> DeciderNames{"forest", "sea", "chance"};

std::string input_text, output_text;
std::optional<Moments> game;
const std::atomic<bool> never_stop{false};

Table& table() {
    static Table table(LevelMegabytes);
    return table;
}

// Starts a new answer, writes it, and returns its size.
template <typename Body>
int answer(Body body) {
    output_text.clear();
    Json json(output_text);
    body(json);
    return int(output_text.size());
}

int answer_null() {
    return answer([](Json& json) { json.null(); });
}

bool is_over() { return game->now().is_over() || game->is_repetition(); }

void write_name(Json& json, std::string_view name, std::optional<std::string_view> value) {
    json.name(name);
    if (value)
        json.text(*value);
    else
        json.null();
}

void write_tokens(Json& json, std::span<const Token> tokens) {
    json.array([&] {
        for (Token token : tokens) json.text(write_token(token));
    });
}

std::optional<std::string_view> code_of(Tile tile) {
    return tile == NoTile ? std::nullopt : std::optional(TileCodes[tile]);
}

void write_choice(Json& json, Choice choice) {
    json.object([&] {
        write_name(json, "token", write_token(choice.token()));
        const bool has_tile = choice.tile() != ActionTile::None;
        write_name(json, "tile", has_tile ? std::optional(ActionTileNames[std::size_t(choice.tile())]) : std::nullopt);
        json.name("paths");
        json.array([&] {
            for (const Path& path : choice.paths())
                json.array([&] {
                    for (Pick pick : path) json.text(write_pick(pick));
                });
        });
        write_name(json, "power", code_of(choice.power()));
        write_name(json, "aim", choice.aims_at_megalith() ? "megalith" : "shaman");
    });
}

void write_effect(Json& json, Effect effect) {
    json.object([&] {
        write_name(json, "kind", effect_name(effect.kind()));
        for (const EffectField& field : effect_fields(effect)) {
            json.name(field.name);
            if (const int* number = std::get_if<int>(&field.value))
                json.number(*number);
            else if (const std::string* text = std::get_if<std::string>(&field.value))
                json.text(*text);
            else
                json.null();
        }
    });
}

void write_moment(Json& json) {
    const Position& now = game->now();
    const bool over = is_over(), in_power = !over && now.phase == Phase::Power;
    const bool has_focus = in_power || (!over && now.phase == Phase::Build);
    json.object([&] {
        write_name(json, "position", write_position(now));
        write_name(json, "phase", over ? "over" : PhaseNames[std::size_t(now.phase)]);
        write_name(json, "decider", over ? std::nullopt : std::optional(DeciderNames[std::size_t(now.decider)]));
        write_name(json, "active", DeciderNames[now.active]);
        write_name(json, "power", code_of(in_power ? now.power : NoTile));
        write_name(json, "focus", has_focus ? std::optional(write_space(now.focus)) : std::nullopt);
        write_name(json, "winner",
                   now.is_over() ? std::optional(DeciderNames[now.winner == Winner::Forest ? 0 : 1]) : std::nullopt);
        json.name("choices");
        json.array([&] {
            if (over) return;
            for (Choice choice : list_choices(now)) write_choice(json, choice);
        });
    });
}

void write_line(Json& json, const Line& line) {
    json.object([&] {
        json.name("score");
        json.number(line.score);
        json.name("tokens");
        write_tokens(json, line.tokens);
    });
}

bool can_search() { return game && !is_over() && game->now().decider <= Decider::Sea; }

Searched run_search(const Limits& limits, bool clear) {
    if (clear) table().clear();
    table().new_search();
    const auto turn_starts = game->turn_start_keys();
    const Past past(turn_starts);
    // Too large for the stack.
    const auto search = std::make_unique<Search>(table(), never_stop, [] { return cairn_should_stop() != 0; });
    auto lines = search->run(game->now(), past, limits, [](const Progress&) {});
    return {std::move(lines), search->nodes()};
}

}  // namespace

CAIRN_EXPORT(input) char* input(int size) {
    input_text.resize(std::size_t(size));
    return input_text.data();
}
CAIRN_EXPORT(output) const char* output() { return output_text.data(); }

// Starts a game at a position at the start of a turn. Answers with the moment, or null if the text is not a position.
CAIRN_EXPORT(start) int start() {
    const auto position = read_position(input_text);
    if (!position) return answer_null();
    game.emplace(*position);
    return answer(write_moment);
}

// The legal tokens, including the draws of chance.
CAIRN_EXPORT(legal_tokens) int legal_tokens() {
    TokenList tokens;
    if (game && !is_over()) game->now().legal_tokens(tokens);
    sort_by_text(tokens);
    return answer([&](Json& json) { write_tokens(json, {tokens.begin(), tokens.end()}); });
}

// Plays a token. Answers with its effects and the moment after it, or null if it is not legal.
CAIRN_EXPORT(play) int play() {
    const auto named = read_token(input_text);
    if (!game || !named || is_over()) return answer_null();
    TokenList legal;
    game->now().legal_tokens(legal);
    const Token* found = std::find(legal.begin(), legal.end(), *named);
    if (found == legal.end()) return answer_null();
    game->push(*found);
    return answer([](Json& json) {
        json.object([&] {
            json.name("effects");
            json.array([&] {
                for (Effect effect : tell(game->before(), game->tokens().back(), game->now(), game->is_repetition()))
                    write_effect(json, effect);
            });
            json.name("moment");
            write_moment(json);
        });
    });
}

// Takes back the last token. Answers with the moment before it, or null if there is none.
CAIRN_EXPORT(undo) int undo() {
    if (!game || game->tokens().empty()) return answer_null();
    game->pop();
    return answer(write_moment);
}

// Searches until the limits or `should_stop` end it; 0 means no limit. The table stays, so another call continues
// quickly where this one ended: a page can search in slices, and handle events between them. Answers null if no tribe
// decides.
CAIRN_EXPORT(search) int search(double nodes, int depth, int lines) {
    if (!can_search()) return answer_null();
    Limits limits;
    if (nodes > 0) limits.nodes = std::uint64_t(nodes);
    if (depth > 0) limits.depth = std::min(depth, Limits::MaxDepth);
    limits.lines = lines;
    const Searched searched = run_search(limits, false);
    return answer([&](Json& json) {
        json.object([&] {
            json.name("depth");
            json.number(searched.lines[0].depth);
            json.name("nodes");
            json.number(std::int64_t(searched.nodes));
            json.name("lines");
            json.array([&] {
                for (const Line& line : searched.lines) write_line(json, line);
            });
        });
    });
}

// Forgets the results of earlier searches.
CAIRN_EXPORT(clear) void clear() { table().clear(); }

// Decides as a level does. Answers null if no tribe decides or there is no such level.
CAIRN_EXPORT(decide) int decide_at_level(int level, std::uint64_t seed) {
    if (!can_search() || level < 1 || level > int(Levels.size())) return answer_null();
    const Decision decision =
        decide(Levels[std::size_t(level - 1)], Limits(), random_at(game->now(), seed), run_search);
    return answer([&](Json& json) {
        json.object([&] {
            json.name("depth");
            json.number(decision.depth);
            json.name("nodes");
            json.number(std::int64_t(decision.nodes));
            json.name("line");
            write_line(json, decision.line);
        });
    });
}

// The number of token sequences of that length, for tests.
CAIRN_EXPORT(perft) double count_sequences(int depth) {
    Position position = game->now();
    return double(perft(position, depth));
}

}  // namespace cairn
