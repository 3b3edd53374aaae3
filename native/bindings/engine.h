// The search threads of one Python engine, and the timer that limits them. The core itself has no clock.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "../levels.h"

namespace cairn {

class Engine {
  public:
    Engine(std::size_t megabytes, int threads) : table_(megabytes), threads_(threads) {}

    // Searches until a limit is reached, the time is up or `stop` is called. A time of zero means no time limit. Only
    // one search may run at a time.
    std::vector<Line> search(const Position& root, std::span<const Key> turn_starts, const Limits& limits,
                             std::int64_t milliseconds, const std::function<void(const Progress&)>& report);

    // Chooses a token as the level would. The time limit applies to each of the level's searches.
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
    void resize(std::size_t megabytes) { table_.resize(megabytes); }
    void set_threads(int threads) { threads_ = threads; }
    std::uint64_t nodes() const;

  private:
    Table table_;
    int threads_;
    std::atomic<bool> stop_{false};     // ends the running search
    std::atomic<bool> stopped_{false};  // `stop` was called, as opposed to a timeout
    std::vector<std::unique_ptr<Search>> searches_;
};

}  // namespace cairn
