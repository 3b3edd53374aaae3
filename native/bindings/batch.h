// Many games at once, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace cairn {

void define_batch(nanobind::module_& module);

}  // namespace cairn
