#include "expectation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>

namespace cairn {

namespace {

// e to the power of -x, computed at compile time because the browser build has no math library.
constexpr double exp_of_minus(double x) {
    int halvings = 0;
    for (; x > 0.5; x /= 2) ++halvings;
    double term = 1, sum = 1;
    for (int power = 1; power < 20; ++power) {
        term *= -x / power;
        sum += term;
    }
    for (; halvings > 0; --halvings) sum *= sum;
    return sum;
}

// The expectation for each lead, in points. Beyond the end of the table, it rounds to Certain.
constexpr auto Leads = [] {
    constexpr double LogOfTen = 2.30258509299404568402;
    std::array<Expectation, 1'000> leads{};
    for (std::size_t points = 0; points < leads.size(); ++points)
        leads[points] = Expectation(Certain / (1 + exp_of_minus(LogOfTen * double(points) / PointsPerTenfold)) + 0.5);
    return leads;
}();
static_assert(Leads.front() == EvenChance && Leads.back() == Certain);

}  // namespace

Expectation expectation_of(Score score) {
    const Expectation lead = Leads[std::min(std::size_t(std::abs(score)), Leads.size() - 1)];
    return score >= 0 ? lead : other_side(lead);
}

}  // namespace cairn
