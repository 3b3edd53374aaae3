// The game of a page: positions, tokens, choices, effects and records.
#include "../choices.h"
#include "../deal.h"
#include "../perft.h"
#include "../record.h"
#include "../story.h"
#include "../text.h"
#include "module.h"

namespace cairn::page {

namespace {

std::optional<std::string_view> code_of(Tile tile) {
    return tile == NoTile ? std::nullopt : std::optional(TileCodes[tile]);
}

std::optional<std::string_view> winner_name(Winner winner) {
    return winner == Winner::Nobody ? std::nullopt : std::optional(WinnerNames[std::size_t(winner)]);
}

void write_choice(Json& json, Choice choice) {
    json.object([&] {
        json.name("token");
        json.text(write_token(choice.token()));
        json.name("tile");
        if (choice.tile() == ActionTile::None)
            json.null();
        else
            json.text(ActionTileNames[std::size_t(choice.tile())]);
        json.name("paths");
        json.array([&] {
            for (const Path& path : choice.paths())
                json.array([&] {
                    for (Pick pick : path) json.text(write_pick(pick));
                });
        });
        json.name("power");
        json.text_or_null(code_of(choice.power()));
        json.name("aim");
        json.text(choice.aims_at_megalith() ? "megalith" : "shaman");
    });
}

void write_effect(Json& json, Effect effect) {
    json.object([&] {
        json.name("kind");
        json.text(effect_name(effect.kind()));
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

void write_fault(Json& json, const Fault& fault) {
    json.object([&] {
        json.name("kind");
        json.text(fault.kind);
        json.name("field");
        json.text(fault.field);
        json.name("details");
        json.object([&] {
            for (const auto& [name, value] : fault.details) {
                json.name(name);
                json.text(value);
            }
        });
    });
}

void write_faults(Json& json, const std::vector<Fault>& faults) {
    json.array([&] {
        for (const Fault& fault : faults) write_fault(json, fault);
    });
}

int answer_faults(const std::vector<Fault>& faults) {
    return answer([&](Json& json) {
        json.object([&] {
            json.name("faults");
            write_faults(json, faults);
        });
    });
}

void write_moment(Json& json) {
    const Position& now = game->now();
    const auto outcome = game->outcome();
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
        if (outcome)
            json.object([&] {
                json.name("winner");
                json.text_or_null(winner_name(outcome->winner));
                json.name("reason");
                json.text(ReasonNames[std::size_t(outcome->reason)]);
            });
        else
            json.null();
        json.name("choices");
        json.array([&] {
            if (outcome) return;
            for (Choice choice : list_choices(now)) write_choice(json, choice);
        });
    });
}

// Length-prefixed texts, as the page writes them into the input.
class Texts {
  public:
    explicit Texts(std::string_view bytes) : bytes_(bytes) {}

    bool at_end() const { return bytes_.size() < 4; }
    std::string_view next() {
        if (at_end()) return {};
        std::size_t size = 0;
        for (std::size_t place : {3u, 2u, 1u, 0u}) size = size << 8 | static_cast<unsigned char>(bytes_[place]);
        const std::string_view text = bytes_.substr(4, size);
        bytes_.remove_prefix(std::min(bytes_.size(), 4 + size));
        return text;
    }
    int next_number() {
        int number = 0;
        for (char digit : next()) number = number * 10 + (digit - '0');
        return number;
    }

  private:
    std::string_view bytes_;
};

void write_record_parts(Json& json, const Record& record) {
    json.name("position");
    json.text(write_position(record.game.moments().start()));
    json.name("tokens");
    write_tokens(json, record.game.moments().tokens());
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

// Starts a game at a position at the start of a turn. Answers with the moment, or with the faults of the text.
CAIRN_EXPORT(start) int start() {
    const auto position = read_position(input_text);
    if (!position) return answer_faults(position_faults(input_text));
    game.emplace(*position);
    return answer(write_moment);
}

// Deals a start with the tiles in the order of their codes in the input. Answers with the moment, or with null if they
// are not the tiles of the variant.
CAIRN_EXPORT(deal) int deal_start(int variant, int faces, int first) {
    std::vector<Tile> order;
    for (std::size_t at = 0; at < input_text.size(); at += 2)
        order.push_back(tile_of(std::string_view(input_text).substr(at, 2)));
    const auto position = deal(Variant(variant), order, faces, Tribe(first));
    if (!position) return answer_null();
    game.emplace(*position);
    return answer(write_moment);
}

// The codes of a variant's tiles.
CAIRN_EXPORT(tiles) int list_tiles(int variant) {
    return answer([&](Json& json) {
        json.array([&] {
            for (Tile tile : tiles_of(Variant(variant))) json.text(TileCodes[tile]);
        });
    });
}

// The legal tokens, including the draws of chance.
CAIRN_EXPORT(legal_tokens) int legal_tokens() {
    TokenList tokens;
    if (game && !game->outcome()) game->now().legal_tokens(tokens);
    sort_by_text(tokens);
    return answer([&](Json& json) { write_tokens(json, tokens); });
}

// Plays a token. Answers with its effects and the moment after it, or with the fault if it is refused.
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

// Takes back the last token. Answers with the moment before it, or null if there is none.
CAIRN_EXPORT(undo) int undo() {
    if (!game || game->moments().tokens().empty()) return answer_null();
    game->pop();
    return answer(write_moment);
}

// Declares how the game ended. Answers with the moment, or null if it cannot end that way.
CAIRN_EXPORT(end) int end_game(int winner) {
    const auto reason = read_reason(input_text);
    if (!game || !reason || !game->end({Winner(winner), *reason})) return answer_null();
    return answer(write_moment);
}

// Reads a record and continues with its game. Answers with its parts and the last moment, or with the faults.
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

// Writes the game as a record. The input holds the number of headers, each header's name and value, and then for each
// note: the index of its token, the number of marks, the marks, the number of comments, the comments.
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

// The number of token sequences of that length, for tests.
CAIRN_EXPORT(perft) double count_sequences(int depth) {
    Position position = game->now();
    return double(perft(position, depth));
}

}  // namespace cairn::page
