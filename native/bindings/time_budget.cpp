#include "time_budget.h"

#include <algorithm>
#include <array>

namespace cairn {

namespace {

// The time to spend as a share of the wanted time, by the number of depths since the best token changed.
constexpr std::array<double, 7> Shares{1.8, 1.5, 1.25, 1.05, 0.9, 0.75, 0.65};
constexpr double MorePerPoint = 0.015;    // if the score fell, for every point
constexpr double MostMore = 1.6;          // at most
constexpr double ShareToBeginWith = 0.6;  // a depth is not begun after this share of the time

}  // namespace

void Stability::finished(const Line& best) {
    const std::uint32_t code = best.tokens[0].code();
    unchanged_ = code == token_code_ ? unchanged_ + 1 : 0;
    drop_ = depths_ == 0 ? 0 : std::max(0, score_ - best.score);
    token_code_ = code;
    score_ = best.score;
    ++depths_;
}

double Stability::target(std::int64_t wanted) const {
    const double share = Shares[std::min(std::size_t(unchanged_), Shares.size() - 1)];
    return double(wanted) * share * std::min(MostMore, 1 + MorePerPoint * drop_);
}

bool Stability::is_enough(std::int64_t wanted, double elapsed) const {
    return wanted > 0 && elapsed >= ShareToBeginWith * target(wanted);
}

}  // namespace cairn
