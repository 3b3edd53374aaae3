#include "selfplay.h"

#include <algorithm>

namespace cairn::training {

namespace {

int below(Random& random, std::size_t limit) { return int(random.next32() % std::uint32_t(limit)); }

SelfPlayGame deal_game(Random& random) {
    SelfPlayGame game;
    game.variant = Variant(below(random, VariantNames.size()));
    const auto tiles = tiles_of(game.variant);
    game.order.assign(tiles.begin(), tiles.end());
    for (std::size_t last = game.order.size() - 1; last > 0; --last)
        std::swap(game.order[last], game.order[std::size_t(below(random, last + 1))]);
    game.faces = below(random, FaceSets);
    game.first = Tribe(below(random, 2));
    return game;
}

}  // namespace

SelfPlaySettings SelfPlaySettings::of(const FileHeader& header, const Network* network) {
    SelfPlaySettings settings;
    settings.nodes = header.nodes;
    settings.judgement.network = network;
    if (header.style == Style::Even) {
        settings.spread = header.nodes / 4;
        settings.random_opening = 0;
        settings.random_token = 0;
    }
    return settings;
}

Random random_for(std::uint64_t seed, std::uint32_t shard, std::uint64_t game) {
    return Random(mix(mix(mix(seed) + shard + 1) + game + 1));
}

SelfPlayGame self_play(const SelfPlaySettings& settings, Search& search, Random& random,
                       const std::atomic<bool>& stop) {
    SelfPlayGame game = deal_game(random);
    Position position = game.start();
    std::vector<Key> turn_starts;
    const int opening = below(random, std::size_t(settings.random_opening) + 1);
    const auto random_limit = std::uint32_t(settings.random_token * 4294967295.0);
    Limits limits;
    limits.nodes = settings.nodes;
    const std::uint64_t fewest = settings.nodes - settings.spread;

    for (int played = 0; !position.is_over() && played < settings.limit && !stop; ++played) {
        if (position.phase == Phase::Action) {
            if (std::count(turn_starts.begin(), turn_starts.end(), position.key) >= 2) break;  // G3
            turn_starts.push_back(position.key);
        }
        const bool chance = position.phase == Phase::Draw;
        PlayedToken next{};
        if (chance || played < opening || random.next32() < random_limit) {
            next.token = position.pick_legal(random.next32());
        } else {
            if (settings.spread > 0)
                limits.nodes = fewest + std::uint64_t(below(random, std::size_t(2 * settings.spread + 1)));
            const auto ignore = [](const Progress&) {};
            const auto lines = search.run(position, Past(turn_starts), limits, ignore, settings.judgement);
            next.token = lines[0].tokens[0];
            if (position.phase == Phase::Action) next.score = std::int16_t(lines[0].score);
        }
        game.tokens.push_back(next);
        position.play(next.token);
    }
    game.winner = position.winner;
    return game;
}

}  // namespace cairn::training
