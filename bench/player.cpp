// A version of the engine behind a C interface, so that tools/prove_network.py can load several versions into one
// process. It compiles against the sources of any version since the core deals games. With WITH_NETWORK, the version
// has a network evaluation.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bindings/engine.h"
#include "deal.h"

using namespace cairn;

namespace {

struct Player {
#if defined(WITH_NETWORK)
    std::unique_ptr<Network> network;
#endif
    std::unique_ptr<Engine> engine;
    Position position;
    std::vector<Key> turn_starts;

    void start_turn() {
        if (position.phase == Phase::Action) turn_starts.push_back(position.key);
    }
    // G3
    bool is_draw() const {
        return position.phase == Phase::Action && std::count(turn_starts.begin(), turn_starts.end(), position.key) >= 3;
    }
};

Player& player_at(void* player) { return *static_cast<Player*>(player); }

}  // namespace

extern "C" {

#define EXPORTED __attribute__((visibility("default")))

// Returns null if the bytes are not a network of this version. Without bytes, the hand-made evaluation is used.
EXPORTED void* player_open(const std::uint8_t* bytes, std::size_t size, int megabytes, int threads) {
    auto player = std::make_unique<Player>();
#if defined(WITH_NETWORK)
    if (size != 0) {
        player->network = std::make_unique<Network>();
        if (!read_network({bytes, size}, *player->network)) return nullptr;
    }
    player->engine = std::make_unique<Engine>(std::size_t(megabytes), threads, player->network.get());
#else
    if (bytes != nullptr || size != 0) return nullptr;
    player->engine = std::make_unique<Engine>(std::size_t(megabytes), threads);
#endif
    return player.release();
}

EXPORTED void player_close(void* player) { delete &player_at(player); }

// Returns the number of tiles of a variant, and writes them.
EXPORTED int player_tiles(int variant, std::uint8_t* tiles) {
    const auto all = tiles_of(Variant(variant));
    for (std::size_t index = 0; index < all.size(); ++index) tiles[index] = std::uint8_t(all[index]);
    return int(all.size());
}

// Deals a new game. Returns whether the tiles are those of the variant.
EXPORTED bool player_deal(void* player, int variant, const std::uint8_t* order, int count, int faces, int first) {
    Player& self = player_at(player);
    std::vector<Tile> tiles;
    for (int index = 0; index < count; ++index) tiles.push_back(Tile(order[index]));
    const auto dealt = deal(Variant(variant), tiles, faces, Tribe(first));
    if (!dealt) return false;
    self.position = *dealt;
    self.turn_starts.clear();
    self.start_turn();
    self.engine->clear();
    return true;
}

// Writes the codes of the legal tokens in ascending order and returns their number.
EXPORTED int player_legal(void* player, std::uint32_t* codes) {
    TokenList tokens;
    player_at(player).position.legal_tokens(tokens);
    for (int index = 0; index < tokens.size(); ++index) codes[index] = tokens[index].code();
    std::sort(codes, codes + tokens.size());
    return tokens.size();
}

// Plays a token. Returns whether it is legal.
EXPORTED bool player_push(void* player, std::uint32_t code) {
    Player& self = player_at(player);
    TokenList tokens;
    self.position.legal_tokens(tokens);
    const auto token = std::find_if(tokens.begin(), tokens.end(), [&](Token each) { return each.code() == code; });
    if (token == tokens.end()) return false;
    self.position.play(*token);
    self.start_turn();
    return true;
}

// 0 Forest decides, 1 Sea decides, 2 a tile is drawn, 3 Forest has won, 4 Sea has won, 5 a draw by repetition.
EXPORTED int player_state(void* player) {
    const Player& self = player_at(player);
    if (self.position.is_over()) return self.position.winner == Winner::Forest ? 3 : 4;
    return self.is_draw() ? 5 : int(self.position.decider);
}

// Searches for the given time, or the given number of nodes. Returns the code of the best token, and writes the depth
// and the number of nodes.
EXPORTED std::uint32_t player_go(void* player, std::int64_t milliseconds, std::uint64_t nodes, int* depth,
                                 std::uint64_t* searched) {
    Player& self = player_at(player);
    Limits limits;
    if (nodes != 0) limits.nodes = nodes;
    self.engine->arm();
    const auto lines =
        self.engine->search(self.position, self.turn_starts, limits, milliseconds, [](const Progress&) {});
    *depth = lines[0].depth;
    *searched = self.engine->nodes();
    return lines[0].tokens[0].code();
}
}
