#include "engine.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace cairn {

namespace {

using Time = std::chrono::steady_clock::time_point;

// Sets a flag at a given time, unless the alarm is destroyed first.
class Alarm {
  public:
    Alarm(const std::optional<Time>& deadline, std::atomic<bool>& flag) {
        if (!deadline) return;
        thread_ = std::thread([this, time = *deadline, &flag] {
            std::unique_lock lock(mutex_);
            if (!ended_.wait_until(lock, time, [this] { return over_; })) flag = true;
        });
    }
    ~Alarm() {
        if (!thread_.joinable()) return;
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        ended_.notify_one();
        thread_.join();
    }
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

  private:
    std::mutex mutex_;
    std::condition_variable ended_;
    bool over_ = false;
    std::thread thread_;
};

}  // namespace

Engine::Deadline Engine::after(std::int64_t milliseconds) {
    constexpr std::int64_t LongestWait = std::int64_t{1000} * 60 * 60 * 24 * 365;  // a longer time counts as no limit
    if (milliseconds <= 0 || milliseconds > LongestWait) return std::nullopt;
    return std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
}

std::uint64_t Engine::nodes() const {
    const std::lock_guard lock(searches_mutex_);
    std::uint64_t sum = 0;
    for (const auto& search : searches_) sum += search->nodes();
    return sum;
}

std::vector<Line> Engine::search(const Position& root, std::span<const Key> turn_starts, const Limits& limits,
                                 const Judgement& judgement, const Deadline& deadline,
                                 const std::function<void(const Progress&)>& report) {
    const Past past(turn_starts);
    table_.new_search();
    {
        const std::lock_guard lock(searches_mutex_);
        searches_.clear();
        for (int index = 0; index < threads_; ++index) searches_.push_back(std::make_unique<Search>(table_, stop_));
    }

    // The first thread determines the result and reports progress. Until it is done, the other threads run their own
    // searches, which fill the shared table.
    const Alarm alarm(deadline, stop_);
    std::vector<std::thread> helpers;
    const auto end_helpers = [&] {
        if (!helpers.empty()) stop_ = true;
        for (std::thread& helper : helpers) helper.join();
    };
    try {
        for (std::size_t index = 1; index < searches_.size(); ++index)
            helpers.emplace_back([&, index] {
                Limits endless;
                endless.lines = limits.lines;
                searches_[index]->run(root, past, endless, [](const Progress&) {}, judgement);
            });
        const auto tell = [&](const Progress& progress) {
            report({searches_.size() == 1 ? progress.nodes : nodes(), progress.lines});
        };
        auto lines = searches_[0]->run(root, past, limits, tell, judgement);
        end_helpers();
        return lines;
    } catch (...) {
        end_helpers();
        throw;
    }
}

Decision Engine::play_level(const Level& level, const Position& root, std::span<const Key> turn_starts,
                            const Limits& most, std::int64_t milliseconds, std::uint64_t seed) {
    // The first search only looks for a win, so it may take no more than half of the time.
    const auto begin = std::chrono::steady_clock::now();
    const Deadline end = after(milliseconds);
    Deadline deadline = end ? Deadline(begin + (*end - begin) / 2) : end;
    LevelDecision decision(level, most, random_at(root, seed));
    while (const auto request = decision.next()) {
        Limits limits = request->limits;
        // Even if the time is up, look at every token once.
        if (deadline && std::chrono::steady_clock::now() >= *deadline) {
            limits.depth = 1;
            deadline = std::nullopt;
        }
        if (request->clear) table_.clear();
        // Clear the flag, in case the previous search timed out. If `stop` is called between these two lines, the
        // second line sets the flag again.
        stop_ = false;
        if (stopped_) stop_ = true;
        auto lines = search(root, turn_starts, limits, LevelJudgement, deadline, [](const Progress&) {});
        decision.found({std::move(lines), nodes()});
        deadline = end;
    }
    return decision.decision();
}

}  // namespace cairn
