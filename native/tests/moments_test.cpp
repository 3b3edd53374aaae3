// The history of a line of play, and repetition.
#include "moments.h"

#include <algorithm>

#include "check.h"
#include "samples.h"

namespace cairn {

using namespace testing;

TEST(the_third_occurrence_at_the_start_of_a_turn_is_a_repetition) {
    Moments moments(position_of(BeginnerStart));
    std::vector<bool> found;
    for (int round = 0; round < 2; ++round)
        for (const char* text : {"a1-a2", "a5-b4", "a2-a1", "b4-a5"}) {
            TokenList legal;
            moments.now().legal_tokens(legal);
            moments.push(*std::find(legal.begin(), legal.end(), *read_token(text)));
            found.push_back(moments.is_repetition());
        }
    CHECK(found == (std::vector<bool>{false, false, false, false, false, false, false, true}));
    moments.pop();
    CHECK(!moments.is_repetition());
}

}  // namespace cairn
