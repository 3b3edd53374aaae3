// How long a search may take, and when it has seen enough.
#pragma once

#include <cstdint>

#include "../search.h"

namespace cairn {

// Times are in milliseconds; 0 means no limit.
struct TimeBudget {
    TimeBudget(std::int64_t most_ms = 0, std::int64_t wanted_ms = 0) : most(most_ms), wanted(wanted_ms) {}

    std::int64_t most;    // the search ends then at the latest
    std::int64_t wanted;  // a search whose best token is neither clear nor doubtful takes about this long
};

// Judges after every finished depth whether searching on is worth the time. The longer the best token has stayed the
// same, the less time is needed; a falling score needs more.
class Stability {
  public:
    void finished(const Line& best);

    // The time to spend, given the wanted time, in milliseconds.
    double target(std::int64_t wanted) const;

    // Whether to end the search. The next depth takes longer than all depths before it, so it is not begun unless a
    // good part of the time is left.
    bool is_enough(std::int64_t wanted, double elapsed) const;

  private:
    int depths_ = 0;
    int unchanged_ = 0;  // the number of depths since the best token changed
    std::uint32_t token_code_ = Finding::NoCode;
    Score score_ = 0;
    Score drop_ = 0;  // how far the score fell at the last depth
};

}  // namespace cairn
