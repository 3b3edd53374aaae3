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

// Parses the text of a record. Stops after a number of faults: the text is probably not a record.
WrittenRecord parse_record(std::string_view text);

// --- A record: a game that was replayed and checked.
struct Record {
    explicit Record(const Position& start) : game(start) {}
    explicit Record(const Game& played) : game(played) {}

    Game game;
    // All but Result, Reason and Position, which follow from the game: known headers first, the others in their order.
    Headers headers;
    std::vector<std::pair<std::int64_t, Note>> notes;  // by the index of their token
};

struct ReadRecord {
    std::optional<Record> record;
    std::vector<Fault> faults;  // why there is none
};

// Reads a record and replays its game. With `strictly_utf8`, bytes that are not UTF-8 are faults. Python's strings can
// hold surrogates, which are reported as separate faults.
ReadRecord read_record(std::string_view bytes, bool strictly_utf8 = true);

// The faults that prevent a record from being written, and its canonical text if there are none.
std::vector<Fault> record_faults(const Record& record);
std::string write_record(const Record& record);

}  // namespace cairn
