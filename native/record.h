// Game records as text (.cairn): headers, turns, marks and comments.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "faults.h"
#include "game.h"

namespace cairn {

constexpr int HighestMark = 255;

// The marks and comments on a token.
struct Note {
    std::vector<int> marks;
    std::vector<std::string> comments;
    bool empty() const { return marks.empty() && comments.empty(); }
};

using Headers = std::vector<std::pair<std::string, std::string>>;

// --- A record as written: well-formed, but not yet known to be a legal game.
struct WrittenToken {
    std::string text;
    Note note;
};

struct WrittenTurn {
    int number = 0;
    std::string tribe;  // "F" or "S"
    int line = 0;       // the line on which the turn begins
    std::vector<WrittenToken> tokens;
};

struct WrittenRecord {
    Headers headers;  // in the order of the text
    std::vector<WrittenTurn> turns;
    char result = 0;
    std::vector<Fault> faults;  // if there are any, the other fields are unreliable
};

// Parses the text of a record. Gives up after many faults, since the text is probably not a record.
WrittenRecord parse_record(std::string_view text);

// --- A record: a game that was replayed and checked.
struct Record {
    explicit Record(const Position& start) : game(start) {}
    explicit Record(const Game& played) : game(played) {}

    Game game;
    // All headers except Result, Reason and Position, which follow from the game. Known headers come first.
    Headers headers;
    std::vector<std::pair<std::int64_t, Note>> notes;  // by token index
};

struct ReadRecord {
    std::optional<Record> record;
    std::vector<Fault> faults;  // why there is no record
};

// Reads a record and replays its game. With `strictly_utf8`, invalid UTF-8 is a fault. Surrogates, which can come from
// Python strings, are reported as separate faults.
ReadRecord read_record(std::string_view bytes, bool strictly_utf8 = true);

// The faults that prevent a record from being written, and its canonical text if there are none.
std::vector<Fault> record_faults(const Record& record);
std::string write_record(const Record& record);

}  // namespace cairn
