// The Python bindings for faults, refusals and records.
#pragma once

#include <nanobind/nanobind.h>

#include "../faults.h"
#include "../moments.h"

namespace cairn {

// Adds the functions to the module. Texts are UTF-8 bytes, with surrogates where a Python string has them.
void define_texts(nanobind::module_& module);

// A fault as (kind, field, details).
nanobind::tuple show_fault(const Fault& fault);

}  // namespace cairn
