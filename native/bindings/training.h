// Network weights, self-play and samples for training, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace cairn {

void define_training(nanobind::module_& module);

}  // namespace cairn
