// Many games at once, stepped together, for programs that learn to play. docs/environments.md describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "../deal.h"
#include "../encoding.h"
#include "../random.h"
#include "workers.h"

namespace cairn {

// What happens to a game after its end.
enum class Autoreset : std::uint8_t {
    NextStep,  // the next step ignores the game's choice and deals a new game
    SameStep,  // the step that ends the game deals a new one; `Frame::final_observations` has the end
    Disabled,  // the game stays as it is until `reset_games`
};

// The parts of a frame that a caller can leave out.
enum BatchOutput : std::uint8_t { Observations = 1, ByteMasks = 2, BitMasks = 4 };

struct BatchSettings {
    int games = 1;
    std::uint64_t seed = 0;
    std::optional<Variant> variant = Variant::Standard;  // nothing: game i plays the variant i % 3
    Autoreset autoreset = Autoreset::NextStep;
    int outputs = Observations | ByteMasks;
    int threads = 1;
    int longest_game = 0;          // in tokens; a longer game is truncated; 0: no limit
    bool chooses_draws = false;    // whether draws are decisions of the caller, too
    bool is_strict = true;         // whether an illegal choice is an error
    float illegal_reward = -0.1f;  // otherwise: the reward of the tribe that made it

    static constexpr int MostGames = 1 << 20, MostThreads = 256;
    // The name of the first setting that is out of range; empty if there is none.
    std::string_view fault() const;
};

// The results of a step: a row for each game in every array.
struct Frame {
    static constexpr int ListLength = TokenList::Capacity;
    static constexpr int MaskWords = (token_id::Count + 63) / 64;

    std::vector<std::uint8_t> observations;        // observed::Size: as the decider, or else the active tribe, sees it
    std::vector<std::uint8_t> final_observations;  // the same for games that ended in this step; only with SameStep
    std::vector<std::uint8_t> masks;               // token_id::Count: 1 if the token is legal
    std::vector<std::uint64_t> bits;               // MaskWords: the same, as bits
    std::vector<std::int16_t> legal;               // ListLength: the legal tokens in no particular order, then -1
    std::vector<std::int16_t> counts;              // the number of legal tokens
    std::vector<std::int16_t> choices;             // the token played by this step; -1 if it was ignored or illegal
    std::vector<std::uint8_t> deciders;            // as Decider
    std::vector<float> rewards;                    // 2: Forest's and Sea's
    std::vector<std::uint8_t> terminations, truncations, illegal;  // 0 or 1
};

class Batch {
  public:
    // Precondition: the settings have no fault.
    explicit Batch(const BatchSettings& settings);

    const BatchSettings& settings() const { return settings_; }

    // The results of the last step or reset. The step after the next one overwrites them, because there are two frames.
    const Frame& frame() const { return frames_[std::size_t(front_)]; }
    const Frame& frame(int number) const { return frames_[std::size_t(number)]; }
    int front() const { return front_; }

    // Deals all games anew, from this seed.
    void reset(std::uint64_t seed);
    // Deals some games anew and leaves the others as they are. `chosen` has a byte for each game.
    void reset_games(const std::uint8_t* chosen);
    // Starts a game from a position. Returns false if the game would be over at once.
    bool place(int game, const Position& start);

    // Plays a token in every game. If the batch is strict and a choice is illegal, nothing changes, and the result is
    // the number of that game. Otherwise the result is -1.
    int step(const std::int32_t* ids);
    // Plays a random legal token in every game.
    void step_random();

    const Position& position(int game) const { return games_[std::size_t(game)].now; }
    int tokens(int game) const { return games_[std::size_t(game)].tokens; }  // played in the current game

  private:
    struct Game {
        Position now;
        Random random{0};
        std::vector<Key> turn_starts;  // since the last point, because no earlier position can occur again (G3)
        int points = 0;                // of both tribes, when `turn_starts` was cleared
        int repeats = 0;
        int tokens = 0;
        bool is_drawn = false;
        bool is_finished = false;  // terminated or truncated
    };

    void deal(Game& game, int number);
    void start(Game& game, const Position& start);
    void play(Game& game, Token token) const;
    void note_turn_start(Game& game) const;
    bool is_listed(int game, int id) const;
    int first_illegal(const std::int32_t* ids) const;

    // Advances a game by a choice and writes its row into the other frame.
    void advance(int number, int id);
    void write(int number, const Game& game, Frame& frame) const;
    void write_legal(int number, const Game& game, Frame& frame) const;
    void clear_results(int number, Frame& frame) const;
    template <typename Choose>
    void advance_all(Choose choose);
    void restart_where(bool all, const std::uint8_t* chosen);

    BatchSettings settings_;
    std::vector<Game> games_;
    std::array<Frame, 2> frames_;
    int front_ = 0;
    Workers workers_;
};

}  // namespace cairn
