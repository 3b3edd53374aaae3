#include "network.h"

#include <algorithm>
#include <string_view>

#include "network_lanes.h"

namespace cairn {

namespace input {

namespace {

// Where each input goes if every place is converted by `move` and own and enemy inputs are swapped or not.
template <typename Move>
constexpr std::array<std::uint16_t, Count> converted(Move move, bool swapped) {
    std::array<std::uint16_t, Count> table{};
    const auto set = [&](int from, int to) { table[std::size_t(from)] = std::uint16_t(to); };
    for (int place = 0; place < Place; ++place) {
        set(OwnShaman + place, (swapped ? EnemyShaman : OwnShaman) + move(place));
        set(EnemyShaman + place, (swapped ? OwnShaman : EnemyShaman) + move(place));
        for (int tile = 0; tile < TileLimit; ++tile)
            set(Megalith + Place * tile + place, Megalith + Place * tile + move(place));
    }
    for (int tile = 0; tile < TileLimit; ++tile) set(Upcoming + tile, Upcoming + tile);
    for (int score = 0; score < PointsToWin; ++score) {
        set(OwnScore + score, (swapped ? EnemyScore : OwnScore) + score);
        set(EnemyScore + score, (swapped ? OwnScore : EnemyScore) + score);
    }
    for (int village = 0; village <= ShamansPerTribe; ++village) {
        set(OwnVillage + village, (swapped ? EnemyVillage : OwnVillage) + village);
        set(EnemyVillage + village, (swapped ? OwnVillage : EnemyVillage) + village);
    }
    return table;
}

// The place of each space, as Forest sees it.
constexpr std::array<std::uint8_t, 32> PlaceOf = [] {
    std::array<std::uint8_t, 32> places{};
    for (int row = 0; row < Rows; ++row)
        for (int column = 0; column < Columns; ++column)
            places[make_space(column, row)] = std::uint8_t(Columns * row + column);
    return places;
}();

}  // namespace

// The half-turn keeps the colours of the totem spaces, so the faces stay as they are (B2).
constinit const std::array<std::uint16_t, Count> OtherView =
    converted([](int place) { return Place - 1 - place; }, true);
constinit const std::array<std::uint16_t, Count> Mirrored =
    converted([](int place) { return place + Columns - 1 - 2 * (place % Columns); }, false);

}  // namespace input

namespace {

constexpr std::string_view NetworkMagic = "CAIRNNN1";

// Inputs of Forest's view.
int shaman_input(Tribe tribe, Space space) {
    return (tribe == Forest ? input::OwnShaman : input::EnemyShaman) + input::PlaceOf[space];
}
int megalith_input(Tile tile, Space space) { return input::Megalith + input::Place * tile + input::PlaceOf[space]; }
int score_input(Tribe tribe, int score) { return (tribe == Forest ? input::OwnScore : input::EnemyScore) + score; }
int village_input(Tribe tribe, int shamans) {
    return (tribe == Forest ? input::OwnVillage : input::EnemyVillage) + shamans;
}

Tiles upcoming_tiles(const Position& position) {
    Tiles tiles = 0;
    for (Tile tile : position.upcoming)
        if (tile != NoTile) tiles |= bit(tile);
    return tiles;
}

void add_tiles(Tiles tiles, Inputs& inputs) {
    for (; tiles != 0; tiles &= tiles - 1) inputs.add(input::Upcoming + std::countr_zero(tiles));
}

Score to_points(const Network& network, std::int32_t sum, std::uint8_t faces) {
    const std::int64_t output = sum / Network::SumUnit + network.output_biases[faces];
    const std::int64_t points = output * Network::PointsPerOutput / (Network::SumUnit * Network::OutputUnit);
    return Score(std::clamp<std::int64_t>(points, -EstimateLimit, EstimateLimit));
}

// Adds the weights of some inputs to the sums of one view, and subtracts those of others. A block of sums stays in
// registers while all inputs are applied to it.
template <typename Vector>
void apply(const Network& network, const Inputs& removed, const Inputs& added, Network::Row& sums) {
    constexpr std::size_t Block = 64, Vectors = Block / Vector::Size;
    static_assert(Network::Width % Block == 0);
    for (std::size_t start = 0; start < Network::Width; start += Block) {
        typename Vector::Words block[Vectors];  // not a std::array, which would lose the type's alignment
        for (std::size_t index = 0; index < Vectors; ++index)
            block[index] = Vector::load(sums.data() + start + index * Vector::Size);
        for (std::uint16_t input : removed) {
            const std::int16_t* weights = network.input_weights[input].data() + start;
            for (std::size_t index = 0; index < Vectors; ++index)
                block[index] = Vector::subtract(block[index], Vector::load(weights + index * Vector::Size));
        }
        for (std::uint16_t input : added) {
            const std::int16_t* weights = network.input_weights[input].data() + start;
            for (std::size_t index = 0; index < Vectors; ++index)
                block[index] = Vector::add(block[index], Vector::load(weights + index * Vector::Size));
        }
        for (std::size_t index = 0; index < Vectors; ++index)
            Vector::store(sums.data() + start + index * Vector::Size, block[index]);
    }
}

// The sums of one view, clipped to the range from 0 to 1 and squared, times the output weights. An output weight times
// a clipped sum fits into 16 bits, so the square needs no wider product.
template <typename Vector>
typename Vector::Sums output(typename Vector::Sums total, const Network::Row& sums, const Network::Row& weights) {
    for (std::size_t start = 0; start < Network::Width; start += Vector::Size) {
        const auto clipped = Vector::clip(Vector::load(sums.data() + start), Network::SumUnit);
        total = Vector::dot(total, Vector::multiply(clipped, Vector::load(weights.data() + start)), clipped);
    }
    return total;
}

template <typename Vector>
Score output_points(const Network& network, const std::array<Network::Row, 2>& sums, std::uint8_t faces, Tribe mover) {
    const auto& weights = network.output_weights[faces];
    auto total = output<Vector>(Vector::no_sums(), sums[mover], weights[0]);
    total = output<Vector>(total, sums[enemy_of(mover)], weights[1]);
    return to_points(network, Vector::total(total), faces);
}

Inputs other_view(const Inputs& inputs) {
    Inputs others;
    for (std::uint16_t input : inputs) others.add(input::OtherView[input]);
    return others;
}

}  // namespace

Inputs inputs_of(const Position& position, Tribe viewer) {
    Inputs inputs;
    for (Tribe tribe : {Forest, Sea}) {
        for_each(position.shamans[tribe], [&](Space space) { inputs.add(shaman_input(tribe, space)); });
        inputs.add(score_input(tribe, position.scores[tribe]));
        inputs.add(village_input(tribe, position.villages[tribe]));
    }
    for_each(position.megaliths, [&](Space space) { inputs.add(megalith_input(position.tile_at[space], space)); });
    add_tiles(upcoming_tiles(position), inputs);
    return viewer == Forest ? inputs : other_view(inputs);
}

bool read_network(std::span<const std::uint8_t> bytes, Network& network) {
    constexpr std::size_t Words = Network::Width * (input::Count + 1 + 2 * FaceSets),
                          Size = NetworkMagic.size() + 4 + 2 * Words + 4 * FaceSets;
    if (bytes.size() != Size || !std::equal(NetworkMagic.begin(), NetworkMagic.end(), bytes.begin())) return false;

    std::size_t at = NetworkMagic.size();
    const auto number = [&](int size) {
        std::uint32_t bits = 0;
        for (int index = 0; index < size; ++index) bits |= std::uint32_t(bytes[at++]) << (8 * index);
        return bits;
    };
    bool in_range = number(4) == Network::Width;
    const auto read_row = [&](Network::Row& row, int limit) {
        for (std::int16_t& weight : row) {
            weight = std::int16_t(number(2));
            in_range &= weight >= -limit && weight <= limit;
        }
    };
    for (Network::Row& row : network.input_weights) read_row(row, Network::InputWeightLimit);
    read_row(network.biases, Network::InputWeightLimit);
    for (auto& rows : network.output_weights)
        for (Network::Row& row : rows) read_row(row, Network::OutputWeightLimit);
    for (std::int32_t& bias : network.output_biases) bias = std::int32_t(number(4));

    network.hash = 0xcbf29ce484222325;  // FNV-1a
    for (std::uint8_t byte : bytes) network.hash = (network.hash ^ byte) * 0x100000001b3;
    return in_range;
}

// Sets the sums to those of a table without shamans and megaliths, from which `estimate` can continue.
void NetworkSums::reset(const Network& network) {
    const Position empty;
    network_ = &network;
    shamans_ = empty.shamans;
    megaliths_ = empty.megaliths;
    tile_at_ = empty.tile_at;
    upcoming_ = upcoming_tiles(empty);
    scores_ = empty.scores;
    villages_ = empty.villages;
    for (Tribe viewer : {Forest, Sea}) {
        sums_[viewer] = network.biases;
        apply<Lanes>(network, Inputs(), inputs_of(empty, viewer), sums_[viewer]);
    }
}

Score NetworkSums::estimate(const Network& network, const Position& position, Tribe mover) {
    if (network_ != &network) reset(network);

    // 1. Find the inputs of Forest's view that differ from the position that was evaluated last.
    Inputs removed, added;
    for (Tribe tribe : {Forest, Sea}) {
        const Spaces before = shamans_[tribe], after = position.shamans[tribe];
        for_each(before & ~after, [&](Space space) { removed.add(shaman_input(tribe, space)); });
        for_each(after & ~before, [&](Space space) { added.add(shaman_input(tribe, space)); });
        if (villages_[tribe] != position.villages[tribe]) {
            removed.add(village_input(tribe, villages_[tribe]));
            added.add(village_input(tribe, position.villages[tribe]));
        }
        if (scores_[tribe] != position.scores[tribe]) {
            removed.add(score_input(tribe, scores_[tribe]));
            added.add(score_input(tribe, position.scores[tribe]));
        }
    }
    if (tile_at_ != position.tile_at) {
        for_each(megaliths_ | position.megaliths, [&](Space space) {
            const Tile before = tile_at_[space], after = position.tile_at[space];
            if (before == after) return;
            if (before != NoTile) removed.add(megalith_input(before, space));
            if (after != NoTile) added.add(megalith_input(after, space));
        });
        megaliths_ = position.megaliths;
        tile_at_ = position.tile_at;
    }
    const Tiles upcoming = upcoming_tiles(position);
    add_tiles(upcoming_ & ~upcoming, removed);
    add_tiles(upcoming & ~upcoming_, added);
    shamans_ = position.shamans;
    upcoming_ = upcoming;
    scores_ = position.scores;
    villages_ = position.villages;

    // 2. Update both views.
    if (removed.size() + added.size() != 0) {
        apply<Lanes>(network, removed, added, sums_[Forest]);
        apply<Lanes>(network, other_view(removed), other_view(added), sums_[Sea]);
    }

    // 3. Compute the output.
    return output_points<Lanes>(network, sums_, position.faces, mover);
}

Score NetworkSums::plain_estimate(const Network& network, const Position& position, Tribe mover) {
    std::array<Network::Row, 2> sums{network.biases, network.biases};
    for (Tribe viewer : {Forest, Sea})
        apply<PortableLanes>(network, Inputs(), inputs_of(position, viewer), sums[viewer]);
    return output_points<PortableLanes>(network, sums, position.faces, mover);
}

}  // namespace cairn
