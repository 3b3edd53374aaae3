// The network: its inputs, its symmetry, and the same results with and without vector instructions.
#include "network.h"

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
    for (char letter : std::string_view("CAIRNNN1")) put(letter, 1);
    put(int(Network::Width), 4);
    put_random(Network::Width * (input::Count + 1), Network::InputWeightLimit, 2);
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

TEST(views_and_mirrors_undo_themselves) {
    for (const auto* table : {&input::OtherView, &input::Mirrored}) {
        int moved = 0;
        for (std::size_t index = 0; index < std::size_t(input::Count); ++index) {
            CHECK_EQUAL((*table)[(*table)[index]], index);
            moved += (*table)[index] != index;
        }
        CHECK(moved > 300);
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
