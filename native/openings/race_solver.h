// Solves the race to the first megalith for every position at once, by retrograde analysis.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "race.h"
#include "set_numbers.h"

namespace cairn::openings {

// A position of the race, as the tribe to move sees it.
struct RacePosition {
    Cells mine = 0, theirs = 0;
    unsigned faces = 0;

    bool operator==(const RacePosition&) const = default;
};

// The beginner start with these faces.
constexpr RacePosition start_with(unsigned faces) { return {0b10101, flip(0b10101), faces}; }

enum class RaceResult : std::uint8_t { Open, Win, Loss };  // for the tribe to move

// A position that a pass decided.
struct Sample {
    std::uint64_t rank = 0;  // the samples of a pass are those with the lowest ranks
    RacePosition position;
};

// Pass n finds the positions in which one tribe forces the first megalith within n turns, but not within n - 1: in odd
// passes the tribe to move, in even passes its enemy. A tribe without an action has lost within 0 turns (T1).
//
//   odd pass:  a position is won if a turn scores, or leads to a position that is lost for the enemy
//   even pass: a position is lost if no turn scores, and all turns lead to positions that are won for the enemy
//
// Odd passes read the table of losses and write the table of wins; even passes read the wins and write the losses. So a
// pass never reads what it writes: the number of turns is exact, and the threads and their order make no difference.
//
// A tribe with a shaman in the far row has won within one turn, because a step with either face takes it off the field.
// The tables leave these positions out.
class RaceSolver {
  public:
    explicit RaceSolver(int tribe_size = ShamansPerTribe);

    // Runs the next pass. Not interruptible.
    void run_pass(int threads, std::size_t samples);

    // The number of turns that the passes cover; -1 before the first pass.
    int turns() const { return turns_; }
    // Whether further passes would decide nothing more, so that all results are exact for any number of turns.
    bool is_complete() const { return turns_ >= 2 && decided_ == 0; }
    // Positions in the tables, the number without a result, and the number that the last pass decided.
    std::uint64_t positions() const { return pairs_ * FaceSets; }
    std::uint64_t open() const { return open_count_; }
    std::uint64_t decided() const { return decided_; }
    std::uint64_t bytes() const { return 3 * pairs_ * sizeof(FaceSet); }
    const std::vector<Sample>& samples() const { return samples_; }

    RaceResult result(const RacePosition& position) const;
    // The passes that decided the starts, by faces; -1 if open.
    const std::array<std::int16_t, FaceSets>& starts() const { return starts_; }

    // Everything that the passes have computed, to save and restore. `restored` follows a change through these spans.
    struct Header {
        std::int32_t tribe_size = 0, turns = 0;
        std::uint64_t open = 0, decided = 0;
        std::array<std::int16_t, FaceSets> starts{};

        bool operator==(const Header&) const = default;
    };
    Header header() const { return {tribe_size_, turns_, open_count_, decided_, starts_}; }
    std::array<std::span<char>, 4> state();
    void restored(const Header& header);

  private:
    // Table indices of pairs of sets: first by the number of the first set, then by that of the second set, which is in
    // an area of its own and has no space of the first set.
    struct Layout {
        Layout(Cells first_area, Cells second_area, int tribe_size);
        Cells second_area;
        SetNumbers first;
        std::vector<Cells> sets;            // the first sets, by number
        std::vector<std::uint64_t> starts;  // where their rows start; at the end, the size of the table
    };
    struct Row;
    class RowCache;
    struct Worker;

    template <int Kind>
    void run_rows(Worker& worker);
    template <int Kind>
    void run_row(Worker& worker, std::size_t number);
    bool may_change(Cells theirs) const;
    void decide(Worker& worker, Cells mine, Cells theirs, FaceSet faces);
    std::uint64_t mover_index(Cells mine, Cells theirs) const;

    int tribe_size_;
    // Pairs by the enemy's shamans and those of the tribe to move: a row has all positions of one enemy.
    Layout by_enemy_;
    // The same pairs by the tribe to move and its enemy, upside down. After a turn of a row in `by_enemy_`, the enemy's
    // shamans are those of the row, except for any that were banished. So the lookups of a row stay close together.
    Layout by_mover_;
    std::array<std::vector<Cells>, CellCount + 1> places_;  // sets_of_places, by count
    std::uint64_t pairs_;
    std::unique_ptr<FaceSet[]> open_;        // by_enemy_: face combinations without a result
    std::unique_ptr<FaceSet[]> won_, lost_;  // by_mover_
    std::vector<std::uint8_t> changed_;      // rows of by_mover_ that the last pass changed

    int turns_ = -1;
    std::uint64_t open_count_ = 0, decided_ = 0;
    std::array<std::int16_t, FaceSets> starts_{};
    std::vector<Sample> samples_;
    std::atomic<std::size_t> next_row_{0};
};

}  // namespace cairn::openings
