#include "samples.h"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <stdexcept>

#include "text.h"

namespace cairn::testing {

namespace {

constexpr std::array ChainTiles{CD, CS, DR, MD, FC, HP, SH};

template <typename Container>
void shuffle(Container& things, Random& random) {
    for (std::size_t index = things.size(); index > 1; --index)
        std::swap(things[index - 1], things[std::size_t(below(random, int(index)))]);
}

std::vector<Space> all_spaces() {
    std::vector<Space> spaces;
    for_each(Field, [&](Space space) { spaces.push_back(space); });
    return spaces;
}

std::vector<Tile> all_tiles(int count) {
    std::vector<Tile> tiles;
    for (int tile = 0; tile < count; ++tile) tiles.push_back(Tile(tile));
    return tiles;
}

void set_shamans(Position& position, Tribe tribe, Spaces spaces) {
    position.shamans[tribe] = spaces;
    position.villages[tribe] = std::uint8_t(ShamansPerTribe - popcount(spaces));
}

void set_megalith(Position& position, Space space, Tile tile) {
    position.megaliths |= bit(space);
    position.tile_at[space] = tile;
}

// Distributes the remaining tiles: first to the upcoming slots, then to a deck with an unknown part above a known part.
void set_supply(Position& position, const std::vector<Tile>& tiles, int unknown) {
    for (std::size_t slot = 0; slot < 2 && slot < tiles.size(); ++slot) position.upcoming[slot] = tiles[slot];
    const int in_deck = std::max(int(tiles.size()) - 2, 0);
    unknown = std::min(unknown, in_deck);
    if (unknown == 1) unknown = 0;  // a single tile is never unknown
    for (int index = 0; index < in_deck; ++index) {
        const Tile tile = tiles[std::size_t(index) + 2];
        if (index < unknown)
            position.unknown_deck |= bit(tile);
        else
            position.known_deck[position.known_count++] = tile;
    }
}

Position ready(Position position, Random& random) {
    position.faces = std::uint8_t(below(random, FaceSets));
    position.active = Tribe(below(random, 2));
    position.key = position.fresh_key();
    position.begin_turn();
    if (!position.is_ok()) throw std::logic_error("a sample is not a valid position: " + write_position(position));
    return position;
}

// A position with the first tiles on the first spaces and shamans on some of the first `reach` spaces.
Position furnished(Random& random, std::vector<Space> spaces, std::vector<Tile> tiles, int megaliths, int reach) {
    Position position;
    for (std::size_t index = 0; index < std::size_t(megaliths); ++index)
        set_megalith(position, spaces[index], tiles[index]);
    tiles.erase(tiles.begin(), tiles.begin() + megaliths);
    tiles.resize(std::size_t(below(random, int(tiles.size()) + 1)));
    set_supply(position, tiles, below(random, int(tiles.size()) + 1));

    spaces.resize(std::size_t(reach));
    shuffle(spaces, random);
    std::size_t next = 0;
    for (Tribe tribe : {Forest, Sea}) {
        Spaces standing = 0;
        for (int left = 1 + below(random, ShamansPerTribe); left > 0; --left) standing |= bit(spaces[next++]);
        set_shamans(position, tribe, standing);
        position.scores[tribe] = std::uint8_t(below(random, PointsToWin));
    }
    return ready(position, random);
}

}  // namespace

Position position_of(std::string_view text) {
    const auto position = read_position(text);
    if (!position) throw std::invalid_argument("not a valid position: " + std::string(text));
    return *position;
}

int below(Random& random, int limit) { return int(std::uint64_t(random.next32()) * std::uint64_t(limit) >> 32); }

Position random_start(Random& random, int tiles) {
    std::vector<Tile> shuffled = all_tiles(tiles);
    if (tiles > 8) shuffle(shuffled, random);  // a beginner game always starts with the first two on the field
    Position position;
    set_megalith(position, make_space(1, 2), shuffled[0]);
    set_megalith(position, make_space(3, 2), shuffled[1]);
    shuffled.erase(shuffled.begin(), shuffled.begin() + 2);
    shuffle(shuffled, random);
    set_supply(position, shuffled, tiles);
    set_shamans(position, Forest, 0b10101);
    set_shamans(position, Sea, Spaces{0b10101} << 4 * Width);
    return ready(position, random);
}

Position crowded(Random& random) {
    std::vector<Space> spaces = all_spaces();
    std::vector<Tile> tiles = all_tiles(TileLimit);
    shuffle(spaces, random);
    shuffle(tiles, random);
    return furnished(random, spaces, tiles, below(random, 15), int(spaces.size()));
}

Position chain_heavy(Random& random) {
    std::vector<Space> spaces = all_spaces();
    shuffle(spaces, random);
    const Space centre = spaces[0];
    std::stable_sort(spaces.begin(), spaces.end(), [centre](Space a, Space b) {
        const auto distance = [centre](Space space) {
            return std::max(std::abs(column_of(space) - column_of(centre)), std::abs(row_of(space) - row_of(centre)));
        };
        return distance(a) < distance(b);
    });
    std::vector<Tile> tiles = all_tiles(TileLimit);
    shuffle(tiles, random);
    std::stable_partition(tiles.begin(), tiles.end(), [](Tile tile) {
        return std::find(ChainTiles.begin(), ChainTiles.end(), tile) != ChainTiles.end();
    });
    return furnished(random, spaces, tiles, 2 + below(random, 8), 16);
}

std::vector<Position> assorted_positions(std::uint64_t seed, int of_each) {
    Random random(seed);
    std::vector<Position> positions;
    for (int index = 0; index < of_each; ++index) {
        for (int tiles : {8, 14, int(TileLimit)}) positions.push_back(random_start(random, tiles));
        positions.push_back(crowded(random));
        positions.push_back(chain_heavy(random));
    }
    return positions;
}

std::vector<Token> every_token() {
    std::vector<Token> choices, tokens;
    const std::vector<Space> spaces = all_spaces();
    const std::vector<Tile> tiles = all_tiles(TileLimit);
    for (Space first : spaces) {
        for (Space second : spaces)
            for (Kind kind : {Kind::Travel, Kind::Push, Kind::Swap}) choices.emplace_back(kind, first, second);
        for (Tile tile : tiles) choices.emplace_back(Kind::Put, first, tile);
        choices.emplace_back(Kind::Travel, Nowhere, first);
        choices.emplace_back(Kind::Travel, first, Nowhere);
        choices.emplace_back(Kind::Banish, first);
        tokens.emplace_back(Kind::Transform, first);
    }
    for (int action_tile : {0, 1, 2}) choices.emplace_back(Kind::Flip, action_tile);
    tokens.insert(tokens.end(), choices.begin(), choices.end());
    choices.emplace_back(Kind::Use);
    for (Tile tile : tiles) {
        tokens.emplace_back(Kind::Build, tile);
        tokens.emplace_back(Kind::Draw, tile);
        for (Token choice : choices) tokens.push_back(choice.as_copy_of(tile));
    }
    tokens.emplace_back(Kind::Stop);
    tokens.emplace_back(Kind::Pass);
    return tokens;
}

std::vector<std::string> data_lines(std::string_view name) {
    std::ifstream file(std::string(CAIRN_TEST_DATA) + "/" + std::string(name));
    if (!file) throw std::runtime_error("cannot read " + std::string(name));
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

std::string between(std::string_view line, std::string_view before, std::string_view after) {
    const std::size_t start = line.find(before);
    if (start == std::string_view::npos) return "";
    const std::size_t end = line.find(after, start + before.size());
    return std::string(line.substr(start + before.size(), end - start - before.size()));
}

}  // namespace cairn::testing
