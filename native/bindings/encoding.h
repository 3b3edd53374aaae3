// The numbers of tokens, and observations, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace cairn {

void define_encoding(nanobind::module_& module);

}  // namespace cairn
