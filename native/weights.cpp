// Fitted by logistic regression to 6,000 self-play games with 1,000 nodes per decision. evaluation.h lists the
// features. docs/methods.md lists other attempts.
#include "evaluation.h"

namespace cairn {

// clang-format off
constinit const Weights TunedWeights{
    6, 6, 9, 13, 14, 13, 20, 14, 15, 27, 19, 18, 44, 38, 31, 2,
    35, 31, 16, -11, -33, -46, 20, 7, 11, -1, 1, 5, 33, 1, -6, 0,
    1, 8, 21, 25, 6, 16, 8, 7, -2, 5, 25, 14, 5, -2, 32, 18,
    -8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    -5, -5, -9, -14, -16, -16, -21, -14, -17, -31, -21, -19, -43, -34, -25, -5,
    -38, -31, -13, 11, 32, 30, -14, -4, -6, 0, 0, -4, -8, -1, 6, 0,
    0, -3, -16, -12, 2, -8, -4, -4, 2, -4, -14, -7, -2, 1, -13, -14,
    8, -7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    -1, -71, -159, 71, 0, -92, 158, 90, -4
};
// clang-format on

}  // namespace cairn
