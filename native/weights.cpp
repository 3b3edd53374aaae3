// Written by tools/tune.py; not meant to be edited by hand.
#include "evaluation.h"

namespace cairn {

// Starting point before any tuning: a shaman gains as it advances, points are worth a megalith each.
const Weights TunedWeights = [] {
    Weights weights{};
    for (int row = 0; row < 5; ++row)
        for (int column = 0; column < 3; ++column) {
            weights[std::size_t(3 * row + column)] = std::int16_t(8 + row * 6 + (row == 4 ? 50 : 0));
            weights[feature::PerTribe + std::size_t(3 * row + column)] =
                std::int16_t(-(8 + row * 6 + (row == 4 ? 30 : 0)));
        }
    weights[feature::JumpOut] = 40;
    weights[feature::PerTribe + feature::JumpOut] = -20;
    weights[feature::Line] = 40;
    weights[feature::PerTribe + feature::Line] = -20;
    for (int own = 0; own < 3; ++own)
        for (int other = 0; other < 3; ++other)
            weights[feature::Scores + std::size_t(3 * own + other)] = std::int16_t(100 * (own - other) + 10);
    return weights;
}();

}  // namespace cairn
