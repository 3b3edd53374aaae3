// The static evaluation of a position.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "position.h"

namespace cairn {

// Scores are in hundredths of a megalith. A proven win is larger than any estimate: Won - n is a win in the n-th turn.
using Score = int;
constexpr Score Won = 30'000;
constexpr Score ProvenFrom = 29'000;    // a score at or beyond this is a proof
constexpr Score EstimateLimit = 3'000;  // estimates are clamped to this
constexpr bool is_proof(Score score) { return score >= ProvenFrom || score <= -ProvenFrom; }

// The evaluation is a weighted sum of features, each counted for the player to move and for the other player. The
// weights were fitted to the results of self-play games (docs/methods.md). Each constant below is an index. For a group
// of features, the comment says what to add to the index and how many features the group has.
namespace feature {
constexpr std::size_t PerTribe = 64;
constexpr std::size_t Shaman = 0;             // + 3 * row from its own village + column from the edge: 15 places
constexpr std::size_t StrandedShaman = 15;    // in the last row, on a megalith: leaving scores nothing
constexpr std::size_t Village = 16;           // + number of shamans there: 6
constexpr std::size_t JumpOut = 22;           // a jump off the field that would score
constexpr std::size_t JumpOutNext = 23;       // the same after a flip of the jump tile
constexpr std::size_t Line = 24;              // an action makes a line for the visible transformation face
constexpr std::size_t LineNext = 25;          // the same for the other face
constexpr std::size_t Mobility = 26;          // actions, up to 24
constexpr std::size_t TotemFree = 27;         // the add action can be taken
constexpr std::size_t TotemStrikes = 28;      // ... and banishes a shaman
constexpr std::size_t Neighbours = 29;        // shamans adjacent to another shaman of the tribe
constexpr std::size_t Facing = 30;            // enemies adjacent to the tribe's shamans
constexpr std::size_t Reaches = 32;           // + tile: an action can activate that megalith: 17
constexpr std::size_t OnMegalith = 49;        // shamans standing on megaliths
constexpr std::size_t ExitReady = 50;         // + own score: shamans in the last row that would score by leaving: 3
constexpr std::size_t JumpOutReady = 53;      // + own score: the same with a jump: 3
constexpr std::size_t LineReady = 56;         // + own score: lines that an action makes: 3
constexpr std::size_t Scores = 2 * PerTribe;  // + 3 * own score + other score: 9, not per tribe
constexpr std::size_t Count = Scores + 9;
}  // namespace feature

using Weights = std::array<std::int16_t, feature::Count>;
extern const Weights TunedWeights;

// Returns the estimate for `mover`, the tribe that has the current turn or the next one.
Score evaluate(const Position& position, Tribe mover);

}  // namespace cairn
