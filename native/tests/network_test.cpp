// The network: its inputs, its symmetry, and the same results with and without vector instructions.
#include "network.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "check.h"
#include "samples.h"
#include "text.h"

namespace cairn {

using namespace testing;

namespace {

// A file with random weights, which are as large as the limits allow.
std::vector<std::uint8_t> random_file(std::uint64_t seed) {
    Random random(seed);
    std::vector<std::uint8_t> bytes;
    const auto put = [&](int number, int size) {
        for (int index = 0; index < size; ++index) bytes.push_back(std::uint8_t(std::uint32_t(number) >> (8 * index)));
    };
    const auto put_random = [&](std::size_t count, int limit, int size) {
        for (std::size_t index = 0; index < count; ++index) put(below(random, 2 * limit + 1) - limit, size);
    };
    for (char letter : std::string_view("CAIRNNN2")) put(letter, 1);
    put(int(Network::Width), 4);
    for (int index = 0; index < input::Count; ++index)
        put_random(Network::Width, Network::input_weight_limit(index), 2);
    put_random(Network::Width, Network::BiasLimit, 2);
    put_random(Network::Width * 2 * FaceSets, Network::OutputWeightLimit, 2);
    put_random(FaceSets, 100'000, 4);
    return bytes;
}

std::unique_ptr<Network> random_network(std::uint64_t seed) {
    auto network = std::make_unique<Network>();
    CHECK(read_network(random_file(seed), *network));
    return network;
}

std::vector<std::uint16_t> sorted(const Inputs& inputs) {
    std::vector<std::uint16_t> indexes(inputs.begin(), inputs.end());
    std::sort(indexes.begin(), indexes.end());
    return indexes;
}

// Counts the pairs of places in the order of their numbers, instead of using the tables of network.cpp.
int pair_number(int first, int second, bool ordered) {
    int number = 0;
    for (int a = 0; a < input::Place; ++a)
        for (int b = ordered ? 0 : a + 1; b < input::Place; ++b) {
            if (a == first && b == second) return number;
            number += a != b && std::abs(a / 5 - b / 5) <= 2 && std::abs(a % 5 - b % 5) <= 2;
        }
    return -1;
}

// The inputs of a view from the description in network.h.
std::vector<std::uint16_t> described(const Position& position, Tribe viewer) {
    struct Shaman {
        bool enemy;
        int row, column;
        int place() const { return 5 * row + column; }
    };
    struct Stone {
        int tile, row, column;
    };
    std::vector<int> inputs;
    std::vector<Shaman> shamans;
    std::vector<Stone> stones;
    for (int row = 0; row < 5; ++row)
        for (int column = 0; column < 5; ++column) {
            const Space space = viewer == Forest ? make_space(column, row) : make_space(4 - column, 4 - row);
            for (Tribe tribe : {Forest, Sea})
                if (position.shamans[tribe] & bit(space)) shamans.push_back({tribe != viewer, row, column});
            if (position.tile_at[space] != NoTile) stones.push_back({position.tile_at[space], row, column});
        }
    for (const Shaman& shaman : shamans) inputs.push_back(25 * shaman.enemy + shaman.place());
    for (const Stone& stone : stones) inputs.push_back(50 + 25 * stone.tile + 5 * stone.row + stone.column);
    for (Tile tile : position.upcoming)
        if (tile != NoTile) inputs.push_back(475 + tile);
    for (bool enemy : {false, true}) {
        const Tribe tribe = enemy ? enemy_of(viewer) : viewer;
        inputs.push_back(492 + 3 * enemy + position.scores[tribe]);
        inputs.push_back(498 + 6 * enemy + position.villages[tribe]);
    }
    for (const Shaman& a : shamans)
        for (const Shaman& b : shamans) {
            if (std::abs(a.row - b.row) > 2 || std::abs(a.column - b.column) > 2) continue;
            if (a.enemy == b.enemy && a.place() < b.place())
                inputs.push_back(510 + 168 * a.enemy + pair_number(a.place(), b.place(), false));
            if (!a.enemy && b.enemy) inputs.push_back(846 + pair_number(a.place(), b.place(), true));
        }
    for (const Shaman& shaman : shamans)
        for (const Stone& stone : stones) {
            const int rows = shaman.row - stone.row, columns = shaman.column - stone.column;
            if (std::abs(rows) <= 1 && std::abs(columns) <= 1)
                inputs.push_back(1182 + 18 * stone.tile + 9 * shaman.enemy + 3 * rows + columns + 4);
        }
    std::vector<std::uint16_t> indexes(inputs.begin(), inputs.end());
    std::sort(indexes.begin(), indexes.end());
    return indexes;
}

}  // namespace

TEST(incremental_vector_sums_equal_plain_sums_from_scratch) {
    const auto network = random_network(1), other = random_network(2);
    NetworkSums sums;
    Random random(3);
    int compared = 0, differing = 0;
    for_each_moment(assorted_positions(4, 40), random, 60, [&](const Position& position) {
        if (position.is_over()) return;
        for (Tribe mover : {Forest, Sea}) {
            const Score plain = NetworkSums::plain_estimate(*network, position, mover);
            CHECK_EQUAL(sums.estimate(*network, position, mover), plain);
            ++compared;
            differing += plain != NetworkSums::plain_estimate(*other, position, mover);
        }
    });
    CHECK(compared > 10'000);
    CHECK(differing > compared / 2);
    // Sums can also continue with another network.
    const Position start = position_of(BeginnerStart);
    CHECK_EQUAL(sums.estimate(*other, start, Forest), NetworkSums::plain_estimate(*other, start, Forest));
}

TEST(inputs_are_distinct_and_within_their_range) {
    Random random(5);
    for_each_moment(assorted_positions(6, 10), random, 60, [&](const Position& position) {
        if (position.is_over()) return;
        for (Tribe viewer : {Forest, Sea}) {
            const auto indexes = sorted(inputs_of(position, viewer));
            CHECK(int(indexes.size()) <= input::MostActive);
            CHECK(std::adjacent_find(indexes.begin(), indexes.end()) == indexes.end());
            CHECK(indexes.back() < input::Count);
        }
    });
}

TEST(inputs_are_as_described) {
    Random random(7);
    std::size_t most = 0;
    for_each_moment(assorted_positions(8, 10), random, 60, [&](const Position& position) {
        if (position.is_over()) return;
        for (Tribe viewer : {Forest, Sea}) {
            const auto indexes = sorted(inputs_of(position, viewer));
            CHECK(indexes == described(position, viewer));
            most = std::max(most, indexes.size());
        }
    });
    CHECK(most > 50);
    CHECK_EQUAL(pair_number(input::Place, 0, true), -1);
    CHECK_EQUAL(input::Count, 1'488);
}

TEST(crowded_tables_fit_into_the_lists) {
    // All shamans in the middle, on and around megaliths, and then all somewhere else: the longest lists of changes.
    const auto network = random_network(1);
    const Position one =
        position_of("5/1SSS1/1SSF1/1FFF1/1F3 b2SA,c2CG,d2CD,b3DR,c3MD,d3HE,b4AD,c4HP,d4MM CSPS - wofm 1-0 F");
    const Position other =
        position_of("5/1FFF1/1FFS1/1SSS1/1S3 b2CG,c2SA,d2DR,b3CD,c3HE,d3MD,b4HP,c4AD,d4MM CSPS - wofm 0-1 F");
    NetworkSums sums;
    for (int round = 0; round < 2; ++round)
        for (const Position* position : {&one, &other})
            CHECK_EQUAL(sums.estimate(*network, *position, Forest),
                        NetworkSums::plain_estimate(*network, *position, Forest));
}

TEST(views_and_mirrors_undo_themselves) {
    for (const auto* table : {&input::OtherView, &input::Mirrored}) {
        int moved = 0;
        for (std::size_t index = 0; index < std::size_t(input::Count); ++index) {
            CHECK_EQUAL((*table)[(*table)[index]], index);
            moved += (*table)[index] != index;
        }
        CHECK(moved > 1'000);
    }
}

TEST(views_describe_the_turned_table_and_mirrors_the_mirrored_table) {
    const Position start = position_of("S1S2/1F3/5/5/F1F1F a1SA,b3CG,d3CD DRMD - wofm 1-0 F");
    const Position turned = position_of("S1S1S/5/5/3S1/2F1F b3CD,d3CG,e5SA DRMD - wofm 0-1 S");
    const Position mirrored = position_of("2S1S/3F1/5/5/F1F1F e1SA,b3CD,d3CG DRMD - bofm 1-0 F");
    CHECK(sorted(inputs_of(start, Sea)) == sorted(inputs_of(turned, Forest)));
    CHECK(sorted(inputs_of(start, Forest)) == sorted(inputs_of(turned, Sea)));
    Inputs converted;
    for (std::uint16_t index : inputs_of(start, Forest)) converted.add(input::Mirrored[index]);
    CHECK(sorted(converted) == sorted(inputs_of(mirrored, Forest)));
}

TEST(damaged_weights_are_rejected) {
    const auto network = std::make_unique<Network>();
    const auto bytes = random_file(1);
    CHECK(read_network(bytes, *network));
    const std::uint64_t hash = network->hash;
    for (std::size_t at : {std::size_t{0}, std::size_t{8}}) {  // the magic and the width
        auto damaged = bytes;
        damaged[at] ^= 1;
        CHECK(!read_network(damaged, *network));
    }
    auto damaged = bytes;
    damaged[13] = 0x7f;  // the first weight becomes too large
    CHECK(!read_network(damaged, *network));
    CHECK(!read_network(std::span(bytes).first(bytes.size() - 1), *network));
    damaged = bytes;
    damaged.back() ^= 1;
    CHECK(read_network(damaged, *network));
    CHECK(network->hash != hash);
}

}  // namespace cairn
