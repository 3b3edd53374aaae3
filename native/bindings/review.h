// The review of a game, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace cairn {

void define_review(nanobind::module_& module);

}  // namespace cairn
