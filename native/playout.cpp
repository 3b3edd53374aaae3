#include "playout.h"

namespace cairn {

std::uint64_t random_playout(Position& position, Random& random, std::uint64_t limit) {
    std::uint64_t played = 0;
    for (; played < limit && !position.is_over(); ++played) position.play(position.pick_legal(random.next32()));
    return played;
}

PlayoutTally random_playouts(const Position& position, std::uint64_t games, std::uint64_t seed, std::uint64_t limit) {
    PlayoutTally tally;
    Random random(seed);
    for (std::uint64_t game = 0; game < games; ++game) {
        Position current = position;
        tally.tokens += random_playout(current, random, limit);
        ++tally.results[std::size_t(current.winner)];
    }
    return tally;
}

}  // namespace cairn
