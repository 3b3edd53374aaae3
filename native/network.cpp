#include "network.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "network_lanes.h"

namespace cairn {

namespace input {

namespace {

constexpr int distance(int a, int b) { return a > b ? a - b : b - a; }

// Whether two places are at most two spaces apart.
constexpr bool makes_pair(int a, int b) {
    const int rows = distance(a / Columns, b / Columns), columns = distance(a % Columns, b % Columns);
    return a != b && rows <= 2 && columns <= 2;
}

using PairNumbers = std::array<std::array<std::uint16_t, Place>, Place>;

// The number of each pair of places, ordered or unordered.
constexpr PairNumbers number_pairs(bool ordered) {
    PairNumbers numbers{};
    int next = 0;
    for (int a = 0; a < Place; ++a)
        for (int b = ordered ? 0 : a; b < Place; ++b)
            if (makes_pair(a, b)) {
                numbers[a][b] = std::uint16_t(next++);
                if (!ordered) numbers[b][a] = numbers[a][b];
            }
    return numbers;
}
constexpr PairNumbers Unordered = number_pairs(false), Ordered = number_pairs(true);

// Where each input goes if every place is converted by `move`, every direction by `turn`, and own and enemy inputs are
// swapped or not.
template <typename Move, typename Turn>
constexpr Conversion converted(Move move, Turn turn, bool swapped) {
    Conversion table{};
    const auto set = [&](int from, int to) { table[std::size_t(from)] = std::uint16_t(to); };
    const auto set_both = [&](int own, int enemy, int from, int to) {
        set(own + from, (swapped ? enemy : own) + to);
        set(enemy + from, (swapped ? own : enemy) + to);
    };
    for (int place = 0; place < Place; ++place) {
        set_both(OwnShaman, EnemyShaman, place, move(place));
        for (int tile = 0; tile < TileLimit; ++tile)
            set(Megalith + Place * tile + place, Megalith + Place * tile + move(place));
        for (int other = 0; other < Place; ++other) {
            if (!makes_pair(place, other)) continue;
            const int from = move(place), to = move(other);
            set_both(OwnPair, EnemyPair, Unordered[place][other], Unordered[from][to]);
            set(MixedPair + Ordered[place][other], MixedPair + (swapped ? Ordered[to][from] : Ordered[from][to]));
        }
    }
    for (int tile = 0; tile < TileLimit; ++tile) {
        set(Upcoming + tile, Upcoming + tile);
        for (int direction = 0; direction < Directions; ++direction)
            set_both(OwnNear, EnemyNear, 2 * Directions * tile + direction, 2 * Directions * tile + turn(direction));
    }
    for (int score = 0; score < PointsToWin; ++score) set_both(OwnScore, EnemyScore, score, score);
    for (int village = 0; village <= ShamansPerTribe; ++village) set_both(OwnVillage, EnemyVillage, village, village);
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

// The number of each pair of spaces, as Forest sees it: unordered pairs for shamans of the same tribe, and otherwise
// ordered pairs, with Forest's shaman first.
constexpr std::array<std::array<std::array<std::uint16_t, 32>, 32>, 2> PairNumber = [] {
    std::array<std::array<std::array<std::uint16_t, 32>, 32>, 2> numbers{};
    for (Space a = 0; a < SpaceLimit; ++a)
        for (Space b = 0; b < SpaceLimit; ++b) {
            numbers[0][a][b] = Unordered[PlaceOf[a]][PlaceOf[b]];
            numbers[1][a][b] = Ordered[PlaceOf[a]][PlaceOf[b]];
        }
    return numbers;
}();

// The spaces that make a pair with each space.
constexpr std::array<Spaces, 32> PairedWith = [] {
    std::array<Spaces, 32> paired{};
    for (Space a = 0; a < SpaceLimit; ++a)
        for (Space b = 0; b < SpaceLimit; ++b)
            if ((bit(a) & Field) && (bit(b) & Field) && makes_pair(PlaceOf[a], PlaceOf[b])) paired[a] |= bit(b);
    return paired;
}();

// The spaces around each space, with itself.
constexpr std::array<Spaces, 32> Around = [] {
    std::array<Spaces, 32> around{};
    for (Space space = 0; space < SpaceLimit; ++space)
        if (bit(space) & Field) around[space] = adjacent(bit(space)) | bit(space);
    return around;
}();

// The input direction from a megalith to a shaman near it, by the difference of their space numbers.
constexpr int NearestDifference = -Width - 1;
constexpr std::array<std::uint8_t, 32> DirectionOf = [] {
    std::array<std::uint8_t, 32> directions{};
    for (int rows = -1; rows <= 1; ++rows)
        for (int columns = -1; columns <= 1; ++columns)
            directions[std::size_t(Width * rows + columns - NearestDifference)] = std::uint8_t(3 * rows + columns + 4);
    return directions;
}();

}  // namespace

// The half-turn keeps the colours of the totem spaces, so the faces stay as they are (B2).
constinit const Conversion OtherView = converted([](int place) { return Place - 1 - place; },
                                                 [](int direction) { return Directions - 1 - direction; }, true);
constinit const Conversion Mirrored =
    converted([](int place) { return place + Columns - 1 - 2 * (place % Columns); },
              [](int direction) { return direction + 2 - 2 * (direction % 3); }, false);

}  // namespace input

namespace {

constexpr std::string_view NetworkMagic = "CAIRNNN2";

constexpr Key SeaMovesKey = 0x9e3779b97f4a7c15;  // any bits, to tell the estimates for both tribes apart
static_assert(EstimateLimit <= INT16_MAX);

// Inputs of Forest's view.
int shaman_input(Tribe tribe, Space space) {
    return (tribe == Forest ? input::OwnShaman : input::EnemyShaman) + input::PlaceOf[space];
}
int megalith_input(Tile tile, Space space) { return input::Megalith + input::Place * tile + input::PlaceOf[space]; }
int score_input(Tribe tribe, int score) { return (tribe == Forest ? input::OwnScore : input::EnemyScore) + score; }
int village_input(Tribe tribe, int shamans) {
    return (tribe == Forest ? input::OwnVillage : input::EnemyVillage) + shamans;
}

// For two shamans of different tribes, Forest's comes first.
int pair_input(Tribe first_tribe, Space first, Tribe second_tribe, Space second) {
    const int start = first_tribe != second_tribe ? input::MixedPair
                      : first_tribe == Forest     ? input::OwnPair
                                                  : input::EnemyPair;
    return start + input::PairNumber[first_tribe != second_tribe][first][second];
}

int near_input(Tribe tribe, Space shaman, Tile tile, Space megalith) {
    const int direction = input::DirectionOf[std::size_t(shaman - megalith - input::NearestDifference) & 31];
    return (tribe == Forest ? input::OwnNear : input::EnemyNear) + 2 * input::Directions * tile + direction;
}

// Adds `input_of(space)` for every space of the set. The sets are small and vary, so the processor cannot predict where
// a plain loop ends. `Steps` steps at a time, the last of which may add nothing, are faster.
template <int Steps, typename InputOf>
void add_each(Spaces spaces, Inputs& inputs, InputOf input_of) {
    do {
        for (int step = 0; step < Steps; ++step) {
            inputs.add_if(spaces != 0, input_of(Space(std::countr_zero(spaces | bit(Nowhere)))));
            spaces &= spaces - 1;
        }
    } while (spaces != 0);
}

// Adds the inputs of a shaman, of its pairs with other shamans, and of the megaliths near it.
void add_shaman(Tribe tribe, Space space, const std::array<Spaces, 2>& others, Spaces megaliths,
                const std::array<Tile, 32>& tile_at, Inputs& inputs) {
    inputs.add(shaman_input(tribe, space));
    add_each<4>((others[Forest] | others[Sea]) & input::PairedWith[space], inputs, [&](Space other) {
        const Tribe tribe_of_other = Tribe((others[Sea] >> other) & 1);
        return tribe == Forest ? pair_input(tribe, space, tribe_of_other, other)
                               : pair_input(tribe_of_other, other, tribe, space);
    });
    add_each<2>(megaliths & input::Around[space], inputs,
                [&](Space megalith) { return near_input(tribe, space, tile_at[megalith], megalith); });
}

// Adds the inputs of a megalith, and of the shamans near it.
void add_megalith(Tile tile, Space space, const std::array<Spaces, 2>& shamans, Inputs& inputs) {
    inputs.add(megalith_input(tile, space));
    add_each<4>((shamans[Forest] | shamans[Sea]) & input::Around[space], inputs,
                [&](Space shaman) { return near_input(Tribe((shamans[Sea] >> shaman) & 1), shaman, tile, space); });
}

Tiles upcoming_tiles(const Position& position) {
    Tiles tiles = 0;
    for (Tile tile : position.upcoming) tiles |= Tiles(tile != NoTile) << tile;
    return tiles;
}

void add_tiles(Tiles tiles, Inputs& inputs) {
    for (; tiles != 0; tiles &= tiles - 1) inputs.add(input::Upcoming + std::countr_zero(tiles));
}

// Compares without calling a function, as the comparison of two arrays would.
bool differ(const std::array<Tile, 32>& a, const std::array<Tile, 32>& b) {
    using Words = std::array<std::uint64_t, 4>;
    const Words left = std::bit_cast<Words>(a), right = std::bit_cast<Words>(b);
    return ((left[0] ^ right[0]) | (left[1] ^ right[1]) | (left[2] ^ right[2]) | (left[3] ^ right[3])) != 0;
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
    constexpr std::size_t Vectors = 8, Block = Vectors * Vector::Size;
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
    std::array<Spaces, 2> placed{};
    for (Tribe tribe : {Forest, Sea}) {
        for_each(position.shamans[tribe], [&](Space space) {
            add_shaman(tribe, space, placed, position.megaliths, position.tile_at, inputs);
            placed[tribe] |= bit(space);
        });
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
    for (int index = 0; index < input::Count; ++index)
        read_row(network.input_weights[std::size_t(index)], Network::input_weight_limit(index));
    read_row(network.biases, Network::BiasLimit);
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
    remembered_.fill(0);
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

// Finds the inputs of Forest's view that differ from the position that was evaluated last, which becomes this one. The
// shamans change first, among the old megaliths, and then the megaliths, among the new shamans.
void NetworkSums::find_changes(const Position& position, Inputs& removed, Inputs& added) {
    std::array<Spaces, 2> kept = shamans_;
    const auto gone = [&](Tribe tribe) { return shamans_[tribe] & ~position.shamans[tribe]; };
    const auto come = [&](Tribe tribe) { return position.shamans[tribe] & ~shamans_[tribe]; };
    // A space may lose a shaman of one tribe and gain one of the other, but never hold two.
    for_each(gone(Forest) | gone(Sea), [&](Space space) {
        const Tribe tribe = Tribe((gone(Sea) >> space) & 1);
        kept[tribe] ^= bit(space);
        add_shaman(tribe, space, kept, megaliths_, tile_at_, removed);
    });
    for_each(come(Forest) | come(Sea), [&](Space space) {
        const Tribe tribe = Tribe((come(Sea) >> space) & 1);
        add_shaman(tribe, space, kept, megaliths_, tile_at_, added);
        kept[tribe] ^= bit(space);
    });
    shamans_ = position.shamans;

    if (differ(tile_at_, position.tile_at)) {
        for_each(megaliths_ | position.megaliths, [&](Space space) {
            const Tile before = tile_at_[space], after = position.tile_at[space];
            if (before == after) return;
            if (before != NoTile) add_megalith(before, space, shamans_, removed);
            if (after != NoTile) add_megalith(after, space, shamans_, added);
        });
        megaliths_ = position.megaliths;
        tile_at_ = position.tile_at;
    }

    const auto replace = [&](bool changed, int before, int after) {
        removed.add_if(changed, before);
        added.add_if(changed, after);
    };
    for (Tribe tribe : {Forest, Sea}) {
        const int village = position.villages[tribe], score = position.scores[tribe];
        replace(village != villages_[tribe], village_input(tribe, villages_[tribe]), village_input(tribe, village));
        replace(score != scores_[tribe], score_input(tribe, scores_[tribe]), score_input(tribe, score));
    }
    villages_ = position.villages;
    scores_ = position.scores;
    const Tiles upcoming = upcoming_tiles(position);
    add_tiles(upcoming_ & ~upcoming, removed);
    add_tiles(upcoming & ~upcoming_, added);
    upcoming_ = upcoming;
}

Score NetworkSums::estimate(const Network& network, const Position& position, Tribe mover) {
    if (network_ != &network) reset(network);

    // 1. Return the estimate if it is known.
    const Key key = position.key ^ (mover == Forest ? 0 : SeaMovesKey);
    std::uint64_t& remembered = remembered_[key % Remembered];
    if (remembered >> 16 == key >> 16) return std::int16_t(remembered);

    // 2. Find what has changed since the last position.
    Inputs removed, added;
    find_changes(position, removed, added);

    // 3. Update both views.
    apply<Lanes>(network, removed, added, sums_[Forest]);
    apply<Lanes>(network, other_view(removed), other_view(added), sums_[Sea]);

    // 4. Compute the output.
    const Score estimate = output_points<Lanes>(network, sums_, position.faces, mover);
    remembered = (key >> 16 << 16) | std::uint16_t(estimate);
    return estimate;
}

Score NetworkSums::plain_estimate(const Network& network, const Position& position, Tribe mover) {
    std::array<Network::Row, 2> sums{network.biases, network.biases};
    for (Tribe viewer : {Forest, Sea})
        for (std::uint16_t input : inputs_of(position, viewer))
            for (std::size_t index = 0; index < Network::Width; ++index)
                sums[viewer][index] = std::int16_t(sums[viewer][index] + network.input_weights[input][index]);
    return output_points<PortableLanes>(network, sums, position.faces, mover);
}

}  // namespace cairn
