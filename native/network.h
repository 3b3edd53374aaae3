// The trained evaluation: a small network, quantised to integers.
//
// The table is described twice, as each tribe sees it. A view has 1,488 inputs, each 0 or 1: what stands where, which
// shamans stand near each other, and which stand near a megalith. The weights of the inputs that are 1 add up to
// `Width` sums. The sums of both views, clipped and squared, are multiplied by the output weights, which depend on the
// faces of the four tiles. Only some inputs differ between positions that a search evaluates one after the other, so
// `NetworkSums` adds and subtracts only those.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "evaluation.h"
#include "position.h"

namespace cairn {

// The inputs of a view. Each constant is an index; the comment says what to add to it and how many inputs follow. A
// place is 5 * row + column, counted from the viewer's own village and left hand.
namespace input {
constexpr int Place = 25;
constexpr int OwnShaman = 0;                                    // + place: 25
constexpr int EnemyShaman = OwnShaman + Place;                  // + place: 25
constexpr int Megalith = EnemyShaman + Place;                   // + 25 * tile + place: 425
constexpr int Upcoming = Megalith + Place * TileLimit;          // + tile: 17
constexpr int OwnScore = Upcoming + TileLimit;                  // + score: 3
constexpr int EnemyScore = OwnScore + PointsToWin;              // + score: 3
constexpr int OwnVillage = EnemyScore + PointsToWin;            // + number of shamans there: 6
constexpr int EnemyVillage = OwnVillage + ShamansPerTribe + 1;  // + number of shamans there: 6
constexpr int Things = EnemyVillage + ShamansPerTribe + 1;      // the number of inputs so far: 510

// Two shamans at most two rows and two columns apart. There are 336 ordered pairs of such places.
constexpr int PlacePairs = 336;
constexpr int OwnPair = Things;                        // + unordered pair of places: 168
constexpr int EnemyPair = OwnPair + PlacePairs / 2;    // + unordered pair of places: 168
constexpr int MixedPair = EnemyPair + PlacePairs / 2;  // + places of the own and the enemy shaman: 336

// A shaman on a megalith or next to it. The direction is 3 * rows + columns from the megalith to the shaman, plus 4.
// For each tile, nine inputs for own shamans come first and nine for enemies follow.
constexpr int Directions = 9;
constexpr int OwnNear = MixedPair + PlacePairs;  // + 18 * tile + direction: 306, with those for enemies
constexpr int EnemyNear = OwnNear + Directions;
constexpr int Count = OwnNear + 2 * Directions * TileLimit;

// No view has more inputs of a group that are 1. Things: ten shamans, a megalith of each tile, two upcoming tiles,
// scores and villages. Pairs: each shaman with each other. Near: each shaman with all spaces around it.
constexpr int MostThings = 2 * ShamansPerTribe + TileLimit + 2 + 2 + 2;
constexpr int MostPairs = 2 * ShamansPerTribe * (2 * ShamansPerTribe - 1) / 2;
constexpr int MostNear = 2 * ShamansPerTribe * Directions;
constexpr int MostActive = MostThings + MostPairs + MostNear;

// A new input for each input.
using Conversion = std::array<std::uint16_t, Count>;
// Converts an input of Forest's view to the corresponding input of Sea's view, and back.
extern const Conversion OtherView;
// Converts an input to the same input on the table mirrored left-right. The add tile then shows its other face.
extern const Conversion Mirrored;
}  // namespace input

// Some inputs, in no particular order.
class Inputs {
  public:
    void add(int input) { indexes_[std::size_t(size_++)] = std::uint16_t(input); }
    // Adds the input or not, without a branch.
    void add_if(bool wanted, int input) {
        indexes_[std::size_t(size_)] = std::uint16_t(input);
        size_ += wanted;
    }
    int size() const { return size_; }
    const std::uint16_t* begin() const { return indexes_.data(); }
    const std::uint16_t* end() const { return indexes_.data() + size_; }

  private:
    // No list of the inputs that differ between two positions is longer. A shaman that comes near a megalith, which
    // then goes away, is counted twice. One more place is for `add_if`.
    std::array<std::uint16_t, std::size_t(input::MostActive + input::MostNear + 1)> indexes_;
    int size_ = 0;
};

// The inputs of a position in the view of a tribe, computed from scratch.
Inputs inputs_of(const Position& position, Tribe viewer);

// A row of weights starts at the start of a cache line. The memory of the browser build has no such alignment.
#if defined(__wasm__)
constexpr std::size_t RowAlignment = 16;
#else
constexpr std::size_t RowAlignment = 64;
#endif

struct Network {
    static constexpr std::size_t Width = 128;
    // A sum of 1.0 is stored as SumUnit, an output weight of 1.0 as OutputUnit. An output of 1.0 is worth
    // PointsPerOutput points: a logistic unit of the chance to win.
    static constexpr int SumUnit = 255, OutputUnit = 64, PointsPerOutput = 65;
    // Limits that keep all arithmetic free of overflow. Training respects them and `read_network` checks them.
    static constexpr int ThingLimit = 400, PairLimit = 200, NearLimit = 100;  // of the weights of each group of inputs
    static constexpr int BiasLimit = 400, OutputWeightLimit = 127;
    static_assert(BiasLimit + input::MostThings * ThingLimit + input::MostPairs * PairLimit +
                      input::MostNear * NearLimit <=
                  INT16_MAX);
    static constexpr int input_weight_limit(int index) {
        return index < input::OwnPair ? ThingLimit : index < input::OwnNear ? PairLimit : NearLimit;
    }

    using Row = std::array<std::int16_t, Width>;
    alignas(RowAlignment) std::array<Row, input::Count> input_weights;
    alignas(RowAlignment) Row biases;
    alignas(RowAlignment)
        std::array<std::array<Row, 2>, FaceSets> output_weights;  // for the mover's view and the other view
    std::array<std::int32_t, FaceSets> output_biases;             // in units of 1 / (SumUnit * OutputUnit)
    std::uint64_t hash = 0;                                       // identifies the weights
};

// Reads a file of weights into `network`. Returns false if the bytes are not such a file.
//
//   "CAIRNNN2", width (4 bytes), input weights, biases, output weights (2 each), output biases (4 each)
bool read_network(std::span<const std::uint8_t> bytes, Network& network);

// The sums of the position that was evaluated last. Every search thread has its own.
class NetworkSums {
  public:
    // Returns the estimate for `mover`, the tribe that has the current turn or the next one.
    Score estimate(const Network& network, const Position& position, Tribe mover);

    // The same without vector instructions and from scratch, for tests.
    static Score plain_estimate(const Network& network, const Position& position, Tribe mover);

  private:
    void reset(const Network& network);
    void find_changes(const Position& position, Inputs& removed, Inputs& added);

    const Network* network_ = nullptr;  // the network that the sums belong to
    std::array<Spaces, 2> shamans_{};
    Spaces megaliths_ = 0;
    std::array<Tile, 32> tile_at_{};
    Tiles upcoming_ = 0;
    std::array<std::uint8_t, 2> scores_{}, villages_{};
    alignas(RowAlignment) std::array<Network::Row, 2> sums_;  // by tribe

    // Recent estimates, each with the upper 48 bits of its key. About a sixth of all positions have just been
    // evaluated.
    static constexpr std::size_t Remembered = 8'192;
    std::array<std::uint64_t, Remembered> remembered_{};
};

}  // namespace cairn
