// A few threads that share the work on a range of numbers.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace cairn {

class Workers {
  public:
    // With one thread, the caller does all the work itself.
    explicit Workers(int threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int threads() const { return int(helpers_.size()) + 1; }

    // Splits the numbers from 0 to `count` - 1 into one range for each thread, and calls `task(first, end)` for each.
    template <typename Task>
    void run(int count, Task&& task) {
        call_ = [](void* context, int first, int end) { (*static_cast<Task*>(context))(first, end); };
        context_ = &task;
        count_ = count;
        run_all();
    }

  private:
    void run_all();
    void run_part(int part);
    void help(int part);

    void (*call_)(void*, int, int) = nullptr;
    void* context_ = nullptr;
    int count_ = 0;
    std::atomic<std::uint32_t> round_{0};  // changes when there is work
    std::atomic<int> busy_{0};             // helpers that still work on this round
    std::atomic<bool> ends_{false};
    std::vector<std::thread> helpers_;
};

}  // namespace cairn
