// The search threads of one Python engine, and the timer that limits them. The core itself has no clock.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "../levels.h"
#include "time_budget.h"

namespace cairn {

class Alarm;

class Engine {
  public:
    // Searches use the network if there is one; it has to outlive the engine. Levels never use it, because they were
    // calibrated with the hand-made evaluation.
    Engine(std::size_t megabytes, int threads, const Network* network);

    // Searches until a limit is reached, the time is up or `stop` is called. Only one search may run at a time. With
    // several threads and one line, the threads vote for the line.
    std::vector<Line> search(const Position& root, std::span<const Key> turn_starts, const Limits& limits,
                             const TimeBudget& budget, const std::function<void(const Progress&)>& report) {
        return search(root, turn_starts, limits, judgement_, after(budget.most), budget.wanted, report);
    }

    // Gives the running search, or the next one after `arm`, a time budget that starts now. A search that has already
    // taken the wanted time ends at once. Any thread may call this.
    void ponder_hit(const TimeBudget& budget);

    // Chooses a token as the level would. The time limit applies to the level's searches together.
    Decision play_level(const Level& level, const Position& root, std::span<const Key> turn_starts, const Limits& most,
                        std::int64_t milliseconds, std::uint64_t seed);

    // May be called from any thread. `arm` clears an earlier stop; call it before every search and every decision.
    void stop() {
        stopped_ = true;
        stop_ = true;
    }
    void arm();

    void clear() { table_.clear(); }
    std::uint64_t nodes() const;

  private:
    using Time = std::chrono::steady_clock::time_point;
    // The time at which a search has to end; none if it may go on.
    using Deadline = std::optional<Time>;
    static Deadline after(std::int64_t milliseconds);

    std::vector<Line> search(const Position& root, std::span<const Key> turn_starts, const Limits& limits,
                             const Judgement& judgement, const Deadline& deadline, std::int64_t wanted,
                             const std::function<void(const Progress&)>& report);
    const std::vector<Line>& vote() const;

    Table table_;
    Judgement judgement_;
    std::atomic<bool> stop_{false};                  // ends the running search
    std::atomic<bool> stopped_{false};               // `stop` was called, as opposed to a timeout
    std::vector<std::unique_ptr<Search>> searches_;  // one for each thread

    mutable std::mutex timing_mutex_;  // for everything below
    Alarm* alarm_ = nullptr;           // of the running search
    Time began_;                       // when it began
    std::int64_t wanted_ = 0;          // its wanted time
    std::optional<TimeBudget> hit_;    // a budget for the next search
};

}  // namespace cairn
