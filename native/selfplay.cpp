#include "selfplay.h"

#include <algorithm>
#include <memory>

namespace cairn {

void self_play(const Position& start, const SelfPlay& settings, Table& table, Random& random,
               const std::atomic<bool>& stop, std::vector<Sample>& samples) {
    const auto search = std::make_unique<Search>(table, stop);
    Limits limits;
    limits.nodes = settings.nodes;
    table.clear();

    Position position = start;
    std::vector<Key> turn_starts;
    std::vector<Tribe> movers;  // the player to move in each sample of this game
    const std::size_t first_sample = samples.size();
    const int opening = int(random.next32() % unsigned(settings.random_opening + 1));
    const auto random_limit = std::uint32_t(settings.random_token * 4294967295.0);
    bool drawn = false;

    for (int played = 0; !position.is_over() && played < settings.limit && !drawn && !stop; ++played) {
        if (position.phase == Phase::Action) {
            drawn = std::count(turn_starts.begin(), turn_starts.end(), position.key) >= 2;  // G3
            turn_starts.push_back(position.key);
        }
        const bool chance = position.phase == Phase::Draw;
        if (chance || played < opening || random.next32() < random_limit) {
            position.play(position.pick_legal(random.next32()));
            continue;
        }
        const auto lines = search->run(position, Past(turn_starts), limits, [](const Progress&) {});
        if (position.phase == Phase::Action && !is_proof(lines[0].score)) {
            samples.push_back({count_features(position, position.active), std::int16_t(lines[0].score), 0});
            movers.push_back(position.active);
        }
        position.play(lines[0].tokens[0]);
    }
    if (position.winner == Winner::Nobody) return;
    const Tribe winner = position.winner == Winner::Forest ? Forest : Sea;
    for (std::size_t index = 0; index < movers.size(); ++index)
        samples[first_sample + index].result = movers[index] == winner ? 1 : -1;
}

}  // namespace cairn
