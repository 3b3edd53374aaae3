// How much each level loses per decision, to compare players with levels. Written by tools/calibrate_review.py.
#pragma once

#include <array>

#include "expectation.h"

namespace cairn {

struct LevelQuality {
    Expectation mean_loss;  // per decision
    Expectation accuracy;
};

// Levels 1 to 10.
constexpr std::array<LevelQuality, 10> LevelQualities{{
    {96'304, 722'563},
    {70'914, 760'513},
    {67'886, 770'238},
    {53'585, 809'208},
    {41'950, 828'768},
    {26'858, 878'252},
    {20'476, 904'776},
    {15'611, 933'001},
    {10'105, 953'967},
    {6'614, 969'287},
}};

}  // namespace cairn
