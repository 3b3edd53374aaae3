// Facts about self-play games, for the balance report: how they ended, how points were scored, how lucky the draws
// were, and what it was worth to build one upcoming megalith rather than the other.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "../review_search.h"
#include "games.h"

namespace cairn::training {

// How a point was scored: a shaman left the field by the move action, by the jump action or by a power, or an enemy was
// transformed.
enum class Way : std::uint8_t { Move, Jump, Power, Transformation };
constexpr std::size_t Ways = 4;

enum class Ending : std::uint8_t { Score, NoAction, Repetition, TooLong };

// The layouts of GameFacts and BuildChoice are known to src/cairn/balance/facts.py.
struct GameFacts {
    std::int32_t luck = 0;     // of all draws for the first player, in millionths of a game
    std::int16_t opening = 0;  // the score of the first decision, for the first player
    std::uint16_t tokens = 0, turns = 0;
    std::uint8_t variant = 0, faces = 0;
    std::uint8_t first = 0;   // the tribe that began
    std::uint8_t result = 0;  // half points of the first player
    std::uint8_t ending = 0;
    std::uint8_t opening_tile = 0;                           // the first action: 0 add, 1 move, 2 jump
    std::array<std::array<std::uint8_t, Ways>, 2> points{};  // of the first player and of the other, by way
    std::uint8_t draws = 0;                                  // with at least two tiles that might have come
    std::array<std::uint8_t, 3> unused{};
};
static_assert(sizeof(GameFacts) == 28);

// A choice between two upcoming megaliths after which the game continued.
struct BuildChoice {
    std::uint32_t game = 0;  // its number in the file
    std::int32_t gain = 0;   // the builder's expectation after `built` minus that after `other`, in millionths
    std::uint16_t token = 0;
    std::uint8_t built = 0, other = 0;
    std::uint8_t result = 0;  // half points of the builder in the game
    std::array<std::uint8_t, 3> unused{};
};
static_assert(sizeof(BuildChoice) == 16);

// Finds the facts, with searches of `nodes` nodes. Each search begins with an empty table, so that its value depends
// only on the moment. The luck of a draw is the value after the tile that came minus the mean over all tiles that might
// have come. Its expectation is exactly 0 whatever the values are, up to the rounding to a millionth.
class FactFinder {
  public:
    FactFinder(const Network* network, std::uint64_t nodes, const std::atomic<bool>& stop);

    // Appends the game's choices to `builds`. Throws std::runtime_error if the game has an illegal token.
    GameFacts find(const SelfPlayGame& game, std::uint32_t number, std::vector<BuildChoice>& builds);

  private:
    Expectation value_of(const ReviewMoment& moment);
    std::vector<Expectation> values_by_tile(const ReviewMoment& before_draw);
    void compare_builds(const ReviewMoment& moment, Token built, BuildChoice& choice);
    Expectation luck_of(const ReviewMoment& moment, Token tile);

    Judgement judgement_;
    Limits limits_;
    Table table_;
    Search search_;
    std::vector<Expectation> next_draw_;  // the values of the next draw, if they are known already
};

struct FileFacts {
    std::vector<GameFacts> games;
    std::vector<BuildChoice> builds;
};

// The facts of all games of a file. Throws std::runtime_error if the file is damaged.
FileFacts facts_of(std::span<const std::uint8_t> file, const Network* network, std::uint64_t nodes);

}  // namespace cairn::training
