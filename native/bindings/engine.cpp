#include "engine.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <thread>

namespace cairn {

// Sets a flag at a given time, which may be set later, unless the alarm is destroyed first.
class Alarm {
  public:
    using Time = std::chrono::steady_clock::time_point;

    explicit Alarm(std::atomic<bool>& flag) : flag_(flag) {}
    ~Alarm() {
        if (!thread_.joinable()) return;
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

    // Starts a thread that waits. Call this only once.
    void set(Time time) {
        thread_ = std::thread([this, time] {
            std::unique_lock lock(mutex_);
            if (!changed_.wait_until(lock, time, [this] { return over_; })) flag_ = true;
        });
    }
    bool is_set() const { return thread_.joinable(); }

  private:
    std::atomic<bool>& flag_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool over_ = false;
    std::thread thread_;
};

namespace {

double milliseconds_since(std::chrono::steady_clock::time_point time) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - time).count();
}

}  // namespace

Engine::Engine(std::size_t megabytes, int threads, const Network* network)
    : table_(megabytes), judgement_{.network = network} {
    for (int index = 0; index < threads; ++index) searches_.push_back(std::make_unique<Search>(table_, stop_));
}

Engine::Deadline Engine::after(std::int64_t milliseconds) {
    constexpr std::int64_t LongestWait = std::int64_t{1000} * 60 * 60 * 24 * 365;  // a longer time counts as no limit
    if (milliseconds <= 0 || milliseconds > LongestWait) return std::nullopt;
    return std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
}

void Engine::arm() {
    const std::lock_guard lock(timing_mutex_);
    hit_.reset();
    stopped_ = false;
    stop_ = false;
}

void Engine::ponder_hit(const TimeBudget& budget) {
    const std::lock_guard lock(timing_mutex_);
    if (alarm_ == nullptr) {
        hit_ = budget;
        return;
    }
    wanted_ = budget.wanted;
    if (wanted_ > 0 && milliseconds_since(began_) >= double(wanted_)) stop_ = true;
    const Deadline deadline = after(budget.most);
    if (deadline && !alarm_->is_set()) alarm_->set(*deadline);
}

std::uint64_t Engine::nodes() const {
    std::uint64_t sum = 0;
    for (const auto& search : searches_) sum += search->nodes();
    return sum;
}

// Every thread votes for its best token, with more weight the deeper it searched and the better its score is. Returns
// the lines of the thread whose token has the most votes.
const std::vector<Line>& Engine::vote() const {
    Score lowest = searches_[0]->lines()[0].score;
    for (const auto& search : searches_) lowest = std::min(lowest, search->lines()[0].score);
    std::map<std::uint32_t, std::int64_t> votes;
    for (const auto& search : searches_) {
        const Line& line = search->lines()[0];
        votes[line.tokens[0].code()] += std::int64_t(line.score - lowest + 10) * line.depth;
    }
    const Search* best = searches_[0].get();
    for (const auto& search : searches_) {
        const Line &line = search->lines()[0], &chosen = best->lines()[0];
        const auto ours = votes[line.tokens[0].code()], theirs = votes[chosen.tokens[0].code()];
        const bool is_proven = is_proof(line.score) || is_proof(chosen.score);
        const bool is_better = is_proven ? line.score > chosen.score && line.depth > 0
                                         : ours > theirs || (ours == theirs && line.depth > chosen.depth);
        if (is_better) best = search.get();
    }
    return best->lines();
}

std::vector<Line> Engine::search(const Position& root, std::span<const Key> turn_starts, const Limits& limits,
                                 const Judgement& judgement, const Deadline& deadline, std::int64_t wanted,
                                 const std::function<void(const Progress&)>& report) {
    const Past past(turn_starts);
    table_.new_search();

    // 1. Start the clock.
    Alarm alarm(stop_);
    {
        const std::lock_guard lock(timing_mutex_);
        began_ = std::chrono::steady_clock::now();
        wanted_ = hit_ ? hit_->wanted : wanted;
        const Deadline end = hit_ ? after(hit_->most) : deadline;
        if (end) alarm.set(*end);
        alarm_ = &alarm;
    }

    // 2. Start the helpers. They run their own searches at other depths, which fill the shared table, until the first
    // thread is done.
    std::vector<std::thread> helpers;
    const auto end = [&] {
        if (!helpers.empty()) stop_ = true;
        for (std::thread& helper : helpers) helper.join();
        const std::lock_guard lock(timing_mutex_);
        alarm_ = nullptr;
    };
    try {
        for (std::size_t index = 1; index < searches_.size(); ++index)
            helpers.emplace_back([&, index] {
                Limits endless;
                endless.lines = limits.lines;
                endless.only = limits.only;
                endless.helper = int(index);
                searches_[index]->run(root, past, endless, [](const Progress&) {}, judgement);
            });

        // 3. Search in this thread. After every depth, decide whether to go on.
        Stability stability;
        const auto tell = [&](const Progress& progress) {
            report({searches_.size() == 1 ? progress.nodes : nodes(), progress.lines});
            stability.finished(progress.lines[0]);
            const std::lock_guard lock(timing_mutex_);
            if (stability.is_enough(wanted_, milliseconds_since(began_))) stop_ = true;
        };
        searches_[0]->run(root, past, limits, tell, judgement);
        end();
    } catch (...) {
        end();
        throw;
    }
    return searches_.size() > 1 && limits.lines == 1 ? vote() : searches_[0]->lines();
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
        auto lines = search(root, turn_starts, limits, LevelJudgement, deadline, 0, [](const Progress&) {});
        decision.found({std::move(lines), nodes()});
        deadline = end;
    }
    return decision.decision();
}

}  // namespace cairn
