// Faults in a text, as data. Python and the web app turn them into sentences; the web app also translates them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {

// The values that a sentence about a fault mentions, by name.
using Details = std::vector<std::pair<std::string_view, std::string>>;

struct Fault {
    std::string_view kind;  // a stable slug, such as "unknown-code"
    std::string field;      // a field of the position, a header, or "token", "turn", "line", "byte", "note", "result"
    Details details;
};

// How thoroughly a position text is checked.
enum class Check {
    Syntax,   // every field can be read; enough for a position in the middle of a turn
    Validity  // every field can be read, and together they form a valid position at the start of a turn
};

// Every fault in a position text, in field order. `read_position` accepts exactly the texts without faults.
std::vector<Fault> position_faults(std::string_view text, Check check = Check::Validity);

}  // namespace cairn
