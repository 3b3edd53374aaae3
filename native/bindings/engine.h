// The search threads of one Python engine, and the timer that limits them. The core itself has no clock.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "../levels.h"

namespace cairn {

class Engine {
  public:
    // Searches use the network if there is one; it has to outlive the engine. Levels never use it, because they were
    // calibrated with the hand-made evaluation.
    Engine(std::size_t megabytes, int threads, const Network* network)
        : table_(megabytes), threads_(threads), judgement_{.network = network} {}

    // Searches until a limit is reached, the time is up or `stop` is called. A time of zero means no time limit. Only
    // one search may run at a time.
    std::vector<Line> search(const Position& root, std::span<const Key> turn_starts, const Limits& limits,
                             std::int64_t milliseconds, const std::function<void(const Progress&)>& report) {
        return search(root, turn_starts, limits, judgement_, after(milliseconds), report);
    }

    // Chooses a token as the level would. The time limit applies to the level's searches together.
    Decision play_level(const Level& level, const Position& root, std::span<const Key> turn_starts, const Limits& most,
                        std::int64_t milliseconds, std::uint64_t seed);

    // May be called from any thread. `arm` clears an earlier stop; call it before every search and every decision.
    void stop() {
        stopped_ = true;
        stop_ = true;
    }
    void arm() {
        stopped_ = false;
        stop_ = false;
    }

    void clear() { table_.clear(); }
    std::uint64_t nodes() const;

  private:
    // The time at which a search has to end; none if it may go on.
    using Deadline = std::optional<std::chrono::steady_clock::time_point>;
    static Deadline after(std::int64_t milliseconds);

    std::vector<Line> search(const Position& root, std::span<const Key> turn_starts, const Limits& limits,
                             const Judgement& judgement, const Deadline& deadline,
                             const std::function<void(const Progress&)>& report);

    Table table_;
    int threads_;
    Judgement judgement_;
    std::atomic<bool> stop_{false};      // ends the running search
    std::atomic<bool> stopped_{false};   // `stop` was called, as opposed to a timeout
    mutable std::mutex searches_mutex_;  // for `nodes`, which other threads may call at any time
    std::vector<std::unique_ptr<Search>> searches_;
};

}  // namespace cairn
