// `Moments.legal_moves` and `Moments.push`, which a Python program that plays games calls for every token.
#pragma once

#include <nanobind/nanobind.h>

namespace cairn {

// The type slots that define both. They are bare CPython functions, because a call through nanobind takes about as long
// as the work itself.
const PyType_Slot* playing_slots();

}  // namespace cairn
