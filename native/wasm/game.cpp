// A game for the web app: positions, tokens, choices, effects and records. A moment is the state of a game at one
// decision.
#include "../perft.h"
#include "../record.h"
#include "../story.h"
#include "../text.h"
#include "messages.h"
#include "module.h"

namespace cairn::page {

namespace {

void write_outcome(Json& json, const std::optional<Outcome>& outcome) {
    if (!outcome) return json.null();
    json.object([&] { write_outcome_fields(json, *outcome); });
}

void write_moment(Json& json) {
    const Position& now = game->now();
    const auto& outcome = game->outcome();
    const bool in_power = !outcome && now.phase == Phase::Power;
    const bool has_focus = in_power || (!outcome && now.phase == Phase::Build);
    json.object([&] {
        json.name("position");
        json.text(write_position(now));
        json.name("phase");
        json.text(outcome ? "over" : PhaseNames[std::size_t(now.phase)]);
        json.name("decider");
        json.text_or_null(outcome ? std::nullopt : std::optional(DeciderNames[std::size_t(now.decider)]));
        json.name("active");
        json.text(DeciderNames[now.active]);
        json.name("power");
        json.text_or_null(code_of(in_power ? now.power : NoTile));
        json.name("focus");
        if (has_focus)
            json.text(write_space(now.focus));
        else
            json.null();
        json.name("outcome");
        write_outcome(json, outcome);
        json.name("choices");
        json.array([&] {
            if (outcome) return;
            for (Choice choice : list_choices(now)) write_choice(json, choice);
        });
    });
}

void write_record_parts(Json& json, const Record& record) {
    json.name("position");
    json.text(write_position(record.game.moments().start()));
    json.name("tokens");
    write_tokens(json, record.game.moments().tokens());
    json.name("declared");
    write_outcome(json, record.game.declared());
    json.name("headers");
    json.array([&] {
        for (const auto& [name, value] : record.headers)
            json.array([&] {
                json.text(name);
                json.text(value);
            });
    });
    json.name("notes");
    json.array([&] {
        for (const auto& [index, note] : record.notes)
            json.object([&] {
                json.name("token");
                json.number(index);
                json.name("marks");
                json.array([&] {
                    for (int mark : note.marks) json.number(mark);
                });
                json.name("comments");
                json.array([&] {
                    for (const std::string& comment : note.comments) json.text(comment);
                });
            });
    });
}

}  // namespace

CAIRN_EXPORT(input) char* input(int size) {
    input_text.resize(std::size_t(size));
    return input_text.data();
}
CAIRN_EXPORT(output) const char* output() { return output_text.data(); }

// Starts a game from a position at the start of a turn. Answers with the moment, or with the faults in the text.
CAIRN_EXPORT(start) int start() {
    const auto position = read_position(input_text);
    if (!position) return answer_faults(position_faults(input_text));
    game.emplace(*position);
    return answer(write_moment);
}

// The legal tokens, including draws.
CAIRN_EXPORT(legal_tokens) int legal_tokens() {
    TokenList tokens;
    if (game && !game->outcome()) game->now().legal_tokens(tokens);
    sort_by_text(tokens);
    return answer([&](Json& json) { write_tokens(json, tokens); });
}

// Plays a token. Answers with its effects and the moment after it, or with the fault if the token is refused.
CAIRN_EXPORT(play) int play() {
    if (!game) return answer_null();
    if (const auto refused = game->push(input_text)) return answer_faults({*refused});
    return answer([](Json& json) {
        const Moments& moments = game->moments();
        json.object([&] {
            json.name("effects");
            json.array([&] {
                for (Effect effect :
                     tell(moments.before(), moments.tokens().back(), moments.now(), moments.is_repetition()))
                    write_effect(json, effect);
            });
            json.name("moment");
            write_moment(json);
        });
    });
}

// Takes back the last token. Answers with the moment before it, or null if there is no token.
CAIRN_EXPORT(undo) int undo() {
    if (!game || game->moments().tokens().empty()) return answer_null();
    game->pop();
    return answer(write_moment);
}

// Declares how the game ended. Answers with the moment, or null if the game cannot end that way.
CAIRN_EXPORT(end) int end_game(int winner) {
    const auto reason = read_reason(input_text);
    if (!game || !reason || !game->end({Winner(winner), *reason})) return answer_null();
    return answer(write_moment);
}

// Reads a record and makes its game the current game. Answers with its parts and the last moment, or with the faults.
CAIRN_EXPORT(read_record) int read_record_text() {
    const ReadRecord read = read_record(input_text);
    if (!read.record) return answer_faults(read.faults);
    game.emplace(read.record->game);
    return answer([&](Json& json) {
        json.object([&] {
            write_record_parts(json, *read.record);
            json.name("moment");
            write_moment(json);
        });
    });
}

// Writes the game as a record. The input contains the number of headers, each header's name and value, and then for
// each note: the index of its token, the number of marks, the marks, the number of comments, the comments.
CAIRN_EXPORT(write_record) int write_record_text() {
    if (!game) return answer_null();
    Record record(*game);
    Texts texts(input_text);
    for (int rest = texts.next_number(); rest > 0; --rest) {
        const std::string name(texts.next());
        record.headers.emplace_back(name, texts.next());
    }
    while (!texts.at_end()) {
        auto& [index, note] = record.notes.emplace_back(texts.next_number(), Note());
        for (int rest = texts.next_number(); rest > 0; --rest) note.marks.push_back(texts.next_number());
        for (int rest = texts.next_number(); rest > 0; --rest) note.comments.emplace_back(texts.next());
    }
    const auto faults = record_faults(record);
    if (!faults.empty()) return answer_faults(faults);
    return answer([&](Json& json) {
        json.object([&] {
            json.name("text");
            json.text(write_record(record));
        });
    });
}

// The number of token sequences of length `depth`, for tests.
CAIRN_EXPORT(perft) double count_sequences(int depth) {
    Position position = game->now();
    return double(plain_perft(position, depth));
}

}  // namespace cairn::page
