// The trained evaluation: a small network, quantised to integers.
//
// The table is described twice, as each tribe sees it. A view has 510 inputs, each 0 or 1. The weights of the inputs
// that are 1 add up to `Width` sums. The sums of both views, clipped and squared, are multiplied by the output weights,
// which depend on the faces of the four tiles. Only a few inputs differ between positions that a search evaluates one
// after the other, so `NetworkSums` adds and subtracts only those.
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
constexpr int Count = EnemyVillage + ShamansPerTribe + 1;
// No view has more inputs that are 1: ten shamans, a megalith of each tile, two upcoming tiles, scores and villages.
constexpr int MostActive = 2 * ShamansPerTribe + TileLimit + 2 + 2 + 2;

// Converts an input of Forest's view to the corresponding input of Sea's view, and back.
extern const std::array<std::uint16_t, Count> OtherView;
// Converts an input to the same input on the table mirrored left-right. The add tile then shows its other face.
extern const std::array<std::uint16_t, Count> Mirrored;
}  // namespace input

// A set of inputs that are 1, in no particular order.
class Inputs {
  public:
    void add(int input) { indexes_[std::size_t(size_++)] = std::uint16_t(input); }
    int size() const { return size_; }
    const std::uint16_t* begin() const { return indexes_.data(); }
    const std::uint16_t* end() const { return indexes_.data() + size_; }

  private:
    std::array<std::uint16_t, std::size_t(2 * input::MostActive)> indexes_;
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
    static constexpr int InputWeightLimit = 900, OutputWeightLimit = 127;

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
//   "CAIRNNN1", width (4 bytes), input weights, biases, output weights (2 each), output biases (4 each)
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

    const Network* network_ = nullptr;  // the network that the sums belong to
    std::array<Spaces, 2> shamans_{};
    Spaces megaliths_ = 0;
    std::array<Tile, 32> tile_at_{};
    Tiles upcoming_ = 0;
    std::array<std::uint8_t, 2> scores_{}, villages_{};
    alignas(RowAlignment) std::array<Network::Row, 2> sums_;  // by tribe
};

}  // namespace cairn
