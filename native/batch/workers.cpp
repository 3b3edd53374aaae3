#include "workers.h"

namespace cairn {

namespace {

// Waits until the value changes. Rounds follow each other within microseconds, so it pays to look a few times before
// the thread sleeps.
template <typename Value>
void wait_while(const std::atomic<Value>& value, Value old) {
    constexpr int Looks = 200;
    for (int look = 0; look < Looks; ++look) {
        if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    value.wait(old, std::memory_order_acquire);
}

}  // namespace

Workers::Workers(int threads) {
    for (int part = 1; part < threads; ++part) helpers_.emplace_back([this, part] { help(part); });
}

Workers::~Workers() {
    ends_ = true;
    ++round_;
    round_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
}

void Workers::run_all() {
    if (!helpers_.empty()) {
        busy_.store(int(helpers_.size()), std::memory_order_relaxed);
        round_.fetch_add(1, std::memory_order_release);
        round_.notify_all();
    }
    run_part(0);
    for (int busy = busy_.load(std::memory_order_acquire); busy != 0; busy = busy_.load(std::memory_order_acquire))
        wait_while(busy_, busy);
}

void Workers::run_part(int part) {
    const std::int64_t count = count_, parts = threads();
    call_(context_, int(count * part / parts), int(count * (part + 1) / parts));
}

void Workers::help(int part) {
    std::uint32_t seen = 0;
    for (;;) {
        wait_while(round_, seen);
        ++seen;
        if (ends_) return;
        run_part(part);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_all();
    }
}

}  // namespace cairn
