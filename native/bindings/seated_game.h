// The Python class for games between two seats.
#pragma once

#include <nanobind/nanobind.h>

namespace cairn {

namespace nb = nanobind;

void define_seated_game(nb::module_& module);

}  // namespace cairn
