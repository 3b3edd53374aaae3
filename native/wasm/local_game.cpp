// A local game, played in the web app without a server. Its log, commands and views have the format of the server's
// messages.
//
// The secret key for draws stays in this module. The web app passes it in once, with the stored log.
#include "../chance.h"
#include "../record.h"
#include "../seated_game.h"
#include "../text.h"
#include "messages.h"
#include "module.h"

namespace cairn::page {

namespace {

std::optional<SeatedGame> local, earlier;  // the game, and the game before the last change
std::string draw_key;

std::optional<std::string_view> tribe_name(std::optional<Tribe> tribe) {
    return tribe ? std::optional(DeciderNames[*tribe]) : std::nullopt;
}

std::optional<std::string_view> barrier_name(Barrier barrier) {
    return barrier == Barrier::None ? std::nullopt : std::optional(BarrierNames[std::size_t(barrier)]);
}

// --- The server's messages (messages/games.py)

void write_step(Json& json, const Step& step) {
    json.object([&] {
        json.name("token");
        json.text(write_token(step.token));
        json.name("by");
        json.text(DeciderNames[std::size_t(step.by)]);
        json.name("active");
        json.text(DeciderNames[step.active]);
        json.name("turn");
        json.number(step.turn);
        json.name("phase");
        json.text(PhaseNames[std::size_t(step.phase)]);
        json.name("effects");
        json.array([&] {
            for (Effect effect : step.effects) write_effect(json, effect);
        });
        json.name("position");
        json.text(step.position);
    });
}

void write_steps(Json& json, const SeatedGame& seated, int first) {
    json.name("steps");
    json.array([&] {
        for (int index = first; index < seated.count(); ++index) write_step(json, seated.step(index));
    });
}

void write_offer(Json& json, const UndoOffer& offer) {
    json.name("undo");
    json.object([&] {
        json.name("step");
        json.boolean(offer.no_step == Barrier::None);
        json.name("turn");
        json.boolean(offer.no_turn == Barrier::None);
        json.name("no_step");
        json.text_or_null(barrier_name(offer.no_step));
        json.name("no_turn");
        json.text_or_null(barrier_name(offer.no_turn));
    });
}

void write_outcome_and_rule(Json& json, const std::optional<Outcome>& outcome) {
    json.name("outcome");
    if (!outcome) return json.null();
    json.object([&] {
        write_outcome_fields(json, *outcome);
        json.name("rule");
        json.text(ReasonRules[std::size_t(outcome->reason)]);
    });
}

// Writes the power being applied and the space of its megalith, or the space to build on.
void write_focus(Json& json, const Game& played) {
    const Position& now = played.now();
    const bool in_power = played.phase() == Phase::Power;
    json.name("power");
    json.text_or_null(code_of(in_power ? now.power : NoTile));
    json.name("focus");
    if (in_power || played.phase() == Phase::Build)
        json.text(write_space(now.focus));
    else
        json.null();
}

void write_now(Json& json, const SeatedGame& seated, const UndoOffer& offer) {
    const Game& played = seated.game();
    const Decider decider = played.decider();
    json.name("now");
    json.object([&] {
        json.name("position");
        json.text(write_position(played.now()));
        json.name("turn");
        json.number(seated.turn());
        json.name("active");
        json.text(DeciderNames[played.now().active]);
        json.name("phase");
        json.text(PhaseNames[std::size_t(played.phase())]);
        json.name("decider");
        json.text_or_null(decider == Decider::None ? std::nullopt : std::optional(DeciderNames[std::size_t(decider)]));
        write_focus(json, played);
        json.name("next_wins");
        json.boolean(seated.next_wins());
        json.name("choices");
        json.array([&] {
            for (Choice choice : seated.choices()) write_choice(json, choice);
        });
        json.name("consequences");
        json.array([&] {
            for (const Consequence& consequence : seated.consequences()) write_consequence(json, consequence);
        });
        json.name("held");
        json.text_or_null(tribe_name(seated.held()));
        write_offer(json, offer);
        write_outcome_and_rule(json, played.outcome());
        json.name("clock");
        json.null();
        json.name("offers");
        json.array([] {});
        json.name("owed");
        json.array([] {});
    });
}

int answer_refused(std::string_view kind, std::optional<Tribe> tribe, const std::vector<Fault>& faults,
                   std::int64_t entry = 0) {
    return answer([&](Json& json) {
        json.object([&] {
            json.name("refused");
            json.object([&] {
                json.name("kind");
                json.text(kind);
                json.name("tribe");
                json.text_or_null(tribe_name(tribe));
                json.name("faults");
                write_faults(json, faults);
                if (entry == 0) return;
                json.name("entry");
                json.number(entry);
            });
        });
    });
}

// Translates the fault kind to the server's problem kind.
int answer_refused_token(const Fault& fault) {
    const bool is_kind = fault.kind == "illegal-token" || fault.kind == "game-over";
    return answer_refused(is_kind ? fault.kind : "malformed-token", std::nullopt, {fault});
}

// --- The log. Its entries have the format of the server's events (game/events.py)

struct Entry {
    enum Kind { Token, Undo, Confirm, End, Unknown } kind = Unknown;
    std::string token{};
    bool hold = false;
    int tokens = 0;
    Outcome outcome{};
};

Entry read_entry(Texts& texts) {
    const std::string_view kind = texts.next();
    if (kind == "token") {
        Entry entry{Entry::Token, std::string(texts.next())};
        entry.hold = texts.next() == "true";
        return entry;
    }
    if (kind == "undo") {
        Entry entry{Entry::Undo};
        entry.tokens = texts.next_number();
        return entry;
    }
    if (kind == "confirm") return {Entry::Confirm};
    if (kind != "end") return {};
    Entry entry{Entry::End};
    const std::string_view winner = texts.next();
    entry.outcome.winner = winner == "forest" ? Winner::Forest : winner == "sea" ? Winner::Sea : Winner::Nobody;
    const auto reason = read_reason(texts.next());
    return reason ? (entry.outcome.reason = *reason, entry) : Entry{};
}

// Applies an entry of the log. Returns false if the entry does not fit the game, and adds the fault if a token is
// refused.
bool apply(SeatedGame& seated, const Entry& entry, std::vector<Fault>& faults) {
    switch (entry.kind) {
        case Entry::Token: {
            const auto fault = seated.follow(entry.token, entry.hold);
            if (fault) faults.push_back(*fault);
            return !fault;
        }
        case Entry::Undo: return seated.undo(entry.tokens);
        case Entry::Confirm: seated.follow_confirmation(); return true;
        case Entry::End: return seated.end(entry.outcome);
        case Entry::Unknown: break;
    }
    return false;
}

void write_entry(Json& json, const Entry& entry, std::int64_t revision) {
    static constexpr std::array<std::string_view, 4> Names{"token", "undo", "confirm", "end"};
    json.object([&] {
        json.name("revision");
        json.number(revision);
        json.name("kind");
        json.text(Names[std::size_t(entry.kind)]);
        json.name("data");
        json.object([&] {
            if (entry.kind == Entry::Token) {
                json.name("token");
                json.text(entry.token);
                json.name("hold");
                json.boolean(entry.hold);
            } else if (entry.kind == Entry::Undo) {
                json.name("tokens");
                json.number(entry.tokens);
            } else if (entry.kind == Entry::End) {
                write_outcome_fields(json, entry.outcome);
            }
        });
    });
}

// --- Changes

// Answers with the new log entries and the update. The update keeps the first `kept` steps and replaces the others.
int answer_changed(const std::vector<Entry>& entries, std::int64_t base, int kept) {
    return answer([&](Json& json) {
        json.object([&] {
            json.name("entries");
            json.array([&] {
                std::int64_t revision = base;
                for (const Entry& entry : entries) write_entry(json, entry, ++revision);
            });
            json.name("update");
            json.object([&] {
                json.name("base");
                json.number(base);
                json.name("revision");
                json.number(local->revision());
                json.name("kept");
                json.number(kept);
                json.name("start");
                json.null();
                write_steps(json, *local, kept);
                write_now(json, *local, local->undo_offer());
            });
            json.name("level");
            json.number(local->computer_level());
        });
    });
}

// Completes a change. Inserts log entries for the tokens from step `kept` onwards; they go after any undo or confirm
// entry and before any end entry. Tokens after the first are draws, and a draw never follows a held token, so if there
// are several tokens, none of them is held.
int complete(std::vector<Entry> entries, int kept) {
    const std::int64_t base = local->revision();
    auto place = entries.size();
    if (!entries.empty() && entries.back().kind == Entry::End) --place;
    for (int index = kept; index < local->count(); ++index)
        entries.insert(entries.begin() + std::ptrdiff_t(place++),
                       {Entry::Token, write_token(local->step(index).token), local->held().has_value()});
    local->advance(std::int64_t(entries.size()), !entries.empty());
    return answer_changed(entries, base, kept);
}

// Applies the entries in the input to the game. Returns the revision of the first entry that does not fit, or 0.
std::int64_t follow_entries(Texts& texts, SeatedGame& seated, int& kept, std::vector<Fault>& faults) {
    while (!texts.at_end()) {
        if (!apply(seated, read_entry(texts), faults)) return seated.revision() + 1;
        seated.advance(1, true);
        kept = std::min(kept, seated.count());
    }
    return 0;
}

int play_token(bool hold) {
    SeatedGame before = *local;
    if (const auto fault = local->play(input_text, hold, draw_key)) return answer_refused_token(*fault);
    earlier = std::move(before);
    return complete({}, earlier->count());
}

}  // namespace

// Answers with the starting position dealt from a key. `first` is the number of the tribe that begins, or -1 to let the
// key determine it.
CAIRN_EXPORT(local_deal) int local_deal(int variant, int first) {
    const auto chosen = first < 0 ? std::nullopt : std::optional(Tribe(first));
    return answer([&](Json& json) { json.text(write_position(deal(input_text, Variant(variant), chosen))); });
}

// Opens a game. The arguments are the computer's levels for the two tribes, or 0 for a person. The input contains the
// key, the starting position, and the entries of the log. Answers with the whole game as one change, or with the reason
// why it cannot be opened.
CAIRN_EXPORT(local_open) int local_open(int forest, int sea) {
    Texts texts(input_text);
    draw_key = texts.next();
    const std::string_view start = texts.next();
    const auto position = read_position(start);
    if (!position) return answer_refused("malformed", std::nullopt, position_faults(start));
    SeatedGame opened(Game(*position), {{forest, sea}});
    std::vector<Fault> faults;
    int kept = 0;
    if (const auto wrong = follow_entries(texts, opened, kept, faults))
        return answer_refused("damaged-log", std::nullopt, faults, wrong);
    local = std::move(opened);
    earlier.reset();
    return answer_changed({}, 0, 0);
}

// Plays tokens in a game that was opened without a log, and then ends the game or draws the tile if one is due. If
// `ended` is not 0, the input begins with the log entry that ends the game. The tokens follow.
CAIRN_EXPORT(local_play_on) int local_play_on(int ended) {
    Texts texts(input_text);
    std::vector<Entry> entries;
    if (ended != 0) entries.push_back(read_entry(texts));
    SeatedGame played = *local;
    while (!texts.at_end())
        if (const auto fault = played.follow(texts.next(), false)) return answer_refused_token(*fault);
    if (entries.empty()) played.draw(draw_key);
    earlier = std::move(local);
    local = std::move(played);
    for (const Entry& entry : entries) local->end(entry.outcome);
    return complete(entries, earlier->count());
}

// Applies the log entries in the input. Another browser tab has stored them.
CAIRN_EXPORT(local_follow) int local_follow() {
    SeatedGame followed = *local;
    Texts texts(input_text);
    std::vector<Fault> faults;
    const std::int64_t base = local->revision();
    int kept = local->count();
    if (const auto wrong = follow_entries(texts, followed, kept, faults))
        return answer_refused("damaged-log", std::nullopt, faults, wrong);
    local = std::move(followed);
    earlier.reset();
    return answer_changed({}, base, kept);
}

// Plays the token in the input for a person.
CAIRN_EXPORT(local_play) int local_play(int tribe, double revision, int hold) {
    if (const auto refused = local->refuse_play(Tribe(tribe), std::int64_t(revision)))
        return answer_refused(refused->kind, refused->tribe, {});
    return play_token(hold != 0);
}

// Plays the token in the input for the computer, which chose it at this revision.
CAIRN_EXPORT(local_play_computer) int local_play_computer(double revision) {
    if (const auto refused = local->refuse_computer(std::int64_t(revision)))
        return answer_refused(refused->kind, refused->tribe, {});
    return play_token(false);
}

// Takes back a step (0) or a turn (1).
CAIRN_EXPORT(local_undo) int local_undo(int scope, double revision) {
    const auto refused = local->refuse_undo(std::nullopt, UndoScope(scope), std::int64_t(revision));
    if (refused) return answer_refused(refused->kind, refused->tribe, {});
    earlier = local;
    Entry undone{Entry::Undo};
    undone.tokens = local->undoable(UndoScope(scope)).tokens;
    local->undo(undone.tokens);
    return complete({undone}, local->count());
}

// Confirms the turn or draw that is held.
CAIRN_EXPORT(local_confirm) int local_confirm(double revision) {
    if (const auto refused = local->refuse_confirm(std::nullopt, std::int64_t(revision)))
        return answer_refused(refused->kind, refused->tribe, {});
    earlier = local;
    local->confirm(draw_key);
    return complete({{Entry::Confirm}}, earlier->count());
}

// Reverts the last change, because its log entries could not be stored.
CAIRN_EXPORT(local_revert) int local_revert() {
    if (!earlier) return answer_null();
    local = std::move(earlier);
    earlier.reset();
    return answer_changed({}, 0, 0);
}

// The whole game as one change.
CAIRN_EXPORT(local_view) int local_view() { return local ? answer_changed({}, 0, 0) : answer_null(); }

// The start and the tokens played since then: all that a search needs.
CAIRN_EXPORT(local_line) int local_line() {
    return answer([](Json& json) {
        json.object([&] {
            json.name("position");
            json.text(write_position(local->game().moments().start()));
            json.name("tokens");
            write_tokens(json, local->game().moments().tokens());
        });
    });
}

// Copies this game to `game`, so that the functions for records can write it.
CAIRN_EXPORT(local_to_game) void local_to_game() { game.emplace(local->game()); }

// Replays a line that is independent of the game. The input contains a position and tokens.
CAIRN_EXPORT(study) int study() {
    Texts texts(input_text);
    const std::string_view start = texts.next();
    const auto position = read_position(start);
    if (!position) return answer_refused("malformed", std::nullopt, position_faults(start));
    SeatedGame line(Game(*position), {});
    while (!texts.at_end())
        if (const auto fault = line.follow(texts.next(), false)) return answer_refused_token(*fault);
    return answer([&](Json& json) {
        json.object([&] {
            json.name("start");
            json.text(write_position(*position));
            write_steps(json, line, 0);
            write_now(json, line, {Barrier::Nothing, Barrier::Nothing});
        });
    });
}

}  // namespace cairn::page
