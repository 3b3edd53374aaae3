// Positions and tokens for tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "position.h"
#include "random.h"

namespace cairn::testing {

inline constexpr std::string_view BeginnerStart = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F";

// Reads a position; throws if the text is not valid.
Position position_of(std::string_view text);

// A random number below `limit`.
int below(Random& random, int limit);

// A random start with the first `tiles` megaliths of the table: 8 beginner, 14 standard, 17 expert.
Position random_start(Random& random, int tiles);

// A position with shamans and megaliths all over the field, and with random remaining tiles, faces and scores.
Position crowded(Random& random);

// The same, but the megaliths that continue chains are close together, among the shamans.
Position chain_heavy(Random& random);

// `of_each` positions of each kind above, with starting positions for all three variants.
std::vector<Position> assorted_positions(std::uint64_t seed, int of_each);

// Plays random tokens from each position, at most `limit` tokens per game, and visits every moment, including the first
// and the last.
template <typename Visit>
void for_each_moment(const std::vector<Position>& starts, Random& random, int limit, Visit visit) {
    for (Position position : starts) {
        visit(position);
        for (int played = 0; played < limit && !position.is_over(); ++played) {
            position.play(position.pick_legal(random.next32()));
            visit(position);
        }
    }
}

// Every well-formed token, exactly once.
std::vector<Token> every_token();

// The lines of a file in tests/data.
std::vector<std::string> data_lines(std::string_view name);

// The text between `before` and the next `after`; empty if there is none.
std::string between(std::string_view line, std::string_view before, std::string_view after);

}  // namespace cairn::testing
