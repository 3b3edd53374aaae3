#include "record.h"

#include <algorithm>
#include <array>

#include "text.h"
#include "utf8.h"

namespace cairn {

namespace {

constexpr std::array<std::string_view, 7> KnownHeaders{"Variant", "Forest", "Sea",     "Date",
                                                       "Result",  "Reason", "Position"};
constexpr std::array<std::string_view, 3> DerivedHeaders{"Result", "Reason", "Position"};
constexpr std::string_view Results = "FS=*";
constexpr char Unfinished = '*';

template <typename List>
bool contains(const List& list, std::string_view item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

const std::string* find_header(const Headers& headers, std::string_view name) {
    for (const auto& [key, value] : headers)
        if (key == name) return &value;
    return nullptr;
}

// The known headers in their canonical order, then the other headers.
Headers in_order(const Headers& headers) {
    const auto rank = [](const auto& header) {
        return std::find(KnownHeaders.begin(), KnownHeaders.end(), header.first) - KnownHeaders.begin();
    };
    Headers sorted = headers;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const auto& one, const auto& other) { return rank(one) < rank(other); });
    return sorted;
}

// The possible results of a game that ends for a declared reason; empty for a reason that cannot be declared.
std::string_view declared_results(Reason reason) {
    switch (reason) {
        case Reason::Agreement: return "=";
        case Reason::Resignation:
        case Reason::Time: return "FS";
        case Reason::Abandoned: return "FS=";
        default: return "";
    }
}

std::string text_of(char letter) { return std::string(1, letter); }
std::string name_of(Reason reason) { return std::string(ReasonNames[std::size_t(reason)]); }

void check_declared(Reason reason, char result, std::vector<Fault>& faults) {
    const std::string_view possible = declared_results(reason);
    if (possible.empty())
        faults.push_back({"wrong-reason", "Reason", {{"reason", name_of(reason)}}});
    else if (possible.find(result) == std::string_view::npos)
        faults.push_back(
            {"wrong-result",
             "result",
             {{"reason", name_of(reason)}, {"possible", std::string(possible)}, {"result", text_of(result)}}});
}

void check_decided(Outcome outcome, char result, std::optional<Reason> reason, std::vector<Fault>& faults) {
    const Details ended{{"ended", text_of(outcome.result())}, {"by", name_of(outcome.reason)}};
    const auto add = [&](std::string_view kind, std::string_view field, std::string_view name, std::string value) {
        Details details = ended;
        details.emplace_back(name, std::move(value));
        faults.push_back({kind, std::string(field), std::move(details)});
    };
    if (result != outcome.result()) add("wrong-result", "result", "result", text_of(result));
    if (reason && *reason != outcome.reason) add("wrong-reason", "Reason", "reason", name_of(*reason));
}

// The contradictions between the two written results, the reason and the game.
std::vector<Fault> result_faults(const WrittenRecord& written, const Game& game) {
    std::vector<Fault> faults;
    const std::string* header = find_header(written.headers, "Result");
    const std::string* reason_text = find_header(written.headers, "Reason");
    if (header != nullptr && (header->size() != 1 || Results.find((*header)[0]) == std::string_view::npos))
        faults.push_back({"bad-result", "Result", {{"what", shorten(*header)}}});
    else if (header != nullptr && (*header)[0] != written.result)
        faults.push_back({"results-differ", "Result", {{"header", *header}, {"result", text_of(written.result)}}});

    std::optional<Reason> reason;
    if (reason_text != nullptr && !(reason = read_reason(*reason_text))) {
        faults.push_back({"bad-reason", "Reason", {{"what", shorten(*reason_text)}}});
        return faults;
    }
    if (const auto outcome = game.outcome())
        check_decided(*outcome, written.result, reason, faults);
    else if (written.result == Unfinished && reason)
        faults.push_back({"reason-without-result", "Reason", {{"reason", name_of(*reason)}}});
    else if (written.result != Unfinished && !reason)
        faults.push_back({"no-reason", "Reason", {{"result", text_of(written.result)}}});
    else if (written.result != Unfinished)
        check_declared(*reason, written.result, faults);
    return faults;
}

Details place_of(const WrittenTurn& turn, std::size_t token) {
    return {{"turn", std::to_string(turn.number)},
            {"token", std::to_string(token)},
            {"text", shorten(turn.tokens[token - 1].text)}};
}

Fault turn_fault(std::string_view kind, Details place, Details more = {}) {
    place.insert(place.end(), more.begin(), more.end());
    return {kind, "turn", std::move(place)};
}

// Replays a turn, which must have the number `expected`. Returns its first fault, if any.
std::optional<Fault> replay(Game& game, int expected, const WrittenTurn& turn) {
    const Details number{{"turn", std::to_string(turn.number)}};
    if (const auto outcome = game.outcome())
        return turn_fault("game-over", place_of(turn, 1), {{"reason", name_of(outcome->reason)}});
    if (game.now().phase != Phase::Action)
        return turn_fault("turn-goes-on", place_of(turn, 1),
                          {{"before", std::to_string(expected - 1)},
                           {"phase", std::string(PhaseNames[std::size_t(game.now().phase)])}});
    if (turn.number != expected)
        return turn_fault("turn-number", number,
                          {{"expected", std::to_string(expected)}, {"at", std::to_string(turn.line)}});
    const std::string active = game.now().active == Forest ? "F" : "S";
    if (turn.tribe != active) return turn_fault("turn-tribe", number, {{"expected", active}, {"found", turn.tribe}});
    for (std::size_t index = 1; index <= turn.tokens.size(); ++index) {
        if (index > 1 && game.now().phase == Phase::Action && !game.outcome())
            return turn_fault("turn-over", place_of(turn, index));
        if (auto refused = game.push(turn.tokens[index - 1].text)) {
            refused->details.erase(refused->details.begin());  // the text, which place_of already includes
            return turn_fault(refused->kind, place_of(turn, index), refused->details);
        }
    }
    return std::nullopt;
}

std::vector<Fault> faults_of_start(const std::string& position) {
    std::vector<Fault> faults = position_faults(position);
    for (Fault& fault : faults) {
        fault.details.emplace_back("field", fault.field);
        fault.field = "Position";
    }
    return faults;
}

std::optional<Reason> declared_reason(const WrittenRecord& written) {
    const std::string* name = find_header(written.headers, "Reason");
    return name == nullptr ? std::nullopt : read_reason(*name);
}

bool is_header_name(std::string_view name) {
    const auto is_letter = [](char each) { return (each >= 'A' && each <= 'Z') || (each >= 'a' && each <= 'z'); };
    return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char each) {
        return is_letter(each) || (each >= '0' && each <= '9') || each == '_';
    });
}

// The first character that cannot be written: a control character, or one of `others`.
std::string find_unwritable(std::string_view text, std::string_view others) {
    for (Character each : characters_of(text)) {
        const bool excluded = each.code < 0x80 && others.find(char(each.code)) != std::string_view::npos;
        if (excluded || is_unwritable(each.code)) return std::string(each.bytes);
    }
    return "";
}

// The tokens of a game by turn, with their notes.
std::vector<WrittenTurn> turns_of(const Record& record) {
    std::vector<WrittenTurn> turns;
    const Moments& moments = record.game.moments();
    for (std::size_t index = 0; index < moments.tokens().size(); ++index) {
        const Position& before = moments.before(index);
        if (before.phase == Phase::Action || turns.empty())
            turns.push_back({int(turns.size()) + 1, before.active == Forest ? "F" : "S", 0, {}});
        turns.back().tokens.push_back({write_token(moments.tokens()[index]), {}});
        for (const auto& [place, note] : record.notes)
            if (place == std::int64_t(index)) turns.back().tokens.back().note = note;
    }
    return turns;
}

void check_notes(const std::vector<WrittenTurn>& turns, std::vector<Fault>& faults) {
    for (const WrittenTurn& turn : turns)
        for (std::size_t number = 1; number <= turn.tokens.size(); ++number) {
            const Note& note = turn.tokens[number - 1].note;
            for (const std::string& comment : note.comments) {
                const std::string wrong = find_unwritable(comment, "}");
                if (wrong.empty()) continue;
                const std::string_view kind = wrong == "}" ? "comment-end" : "control-character";
                faults.push_back(turn_fault(kind, place_of(turn, number), {{"what", wrong}}));
            }
            for (int mark : note.marks)
                if (mark < 0 || mark > HighestMark)
                    faults.push_back(turn_fault("bad-mark", place_of(turn, number), {{"what", std::to_string(mark)}}));
        }
}

}  // namespace

ReadRecord read_record(std::string_view bytes, bool strictly_utf8) {
    if (const auto invalid = find_invalid_utf8(bytes); invalid && strictly_utf8)
        return {{}, {{"not-utf-8", "byte", {{"byte", std::to_string(*invalid + 1)}}}}};
    WrittenRecord written = parse_record(bytes);
    if (!written.faults.empty()) return {{}, std::move(written.faults)};

    const std::string& position = *find_header(written.headers, "Position");
    const auto start = read_position(position);
    if (!start) return {{}, faults_of_start(position)};
    Record record(*start);
    std::int64_t token_index = 0;
    for (std::size_t index = 0; index < written.turns.size(); ++index) {
        WrittenTurn& turn = written.turns[index];
        if (auto fault = replay(record.game, int(index) + 1, turn)) return {{}, {std::move(*fault)}};
        for (WrittenToken& token : turn.tokens) {
            if (!token.note.empty()) record.notes.emplace_back(token_index, std::move(token.note));
            ++token_index;
        }
    }
    if (auto faults = result_faults(written, record.game); !faults.empty()) return {{}, std::move(faults)};
    if (!record.game.outcome() && written.result != Unfinished) {
        const Winner winner = written.result == '='   ? Winner::Nobody
                              : written.result == 'F' ? Winner::Forest
                                                      : Winner::Sea;
        record.game.end({winner, *declared_reason(written)});
    }
    for (auto& header : in_order(written.headers))
        if (!contains(DerivedHeaders, header.first)) record.headers.push_back(std::move(header));
    return {std::move(record), {}};
}

std::vector<Fault> record_faults(const Record& record) {
    std::vector<Fault> faults;
    for (std::string_view name : DerivedHeaders)
        if (find_header(record.headers, name) != nullptr) faults.push_back({"told-by-the-game", std::string(name), {}});
    const std::size_t count = record.game.moments().tokens().size();
    for (const auto& [index, note] : record.notes)
        if (index < 0 || index >= std::int64_t(count))
            faults.push_back(
                {"no-token", "note", {{"note", std::to_string(index)}, {"tokens", std::to_string(count)}}});
    if (const auto& declared = record.game.declared(); declared && record.game.outcome() == declared)
        check_declared(declared->reason, declared->result(), faults);
    if (!faults.empty()) return faults;

    for (const auto& [name, value] : record.headers) {
        if (!is_header_name(name)) faults.push_back({"bad-header", "header", {{"what", shorten(name)}}});
        const std::string wrong = find_unwritable(value, "\t\n");
        if (!wrong.empty()) faults.push_back({"control-character", name, {{"what", wrong}}});
    }
    check_notes(turns_of(record), faults);
    return faults;
}

std::string write_record(const Record& record) {
    const auto outcome = record.game.outcome();
    const char result = outcome ? outcome->result() : Unfinished;
    Headers headers = record.headers;
    headers.emplace_back("Result", text_of(result));
    if (outcome) headers.emplace_back("Reason", name_of(outcome->reason));
    headers.emplace_back("Position", write_position(record.game.moments().start()));

    std::string text;
    for (const auto& [name, value] : in_order(headers)) {
        text += "[" + name + " \"";
        for (char letter : value) {
            if (letter == '\\' || letter == '"') text += '\\';
            text += letter;
        }
        text += "\"]\n";
    }
    text += '\n';
    for (const WrittenTurn& turn : turns_of(record)) {
        text += std::to_string(turn.number) + " " + turn.tribe;
        for (const WrittenToken& token : turn.tokens) {
            text += " " + token.text;
            for (int mark : token.note.marks) text += " $" + std::to_string(mark);
            for (const std::string& comment : token.note.comments) text += " {" + comment + "}";
        }
        text += '\n';
    }
    return text + result + "\n";
}

}  // namespace cairn
