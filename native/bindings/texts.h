// The Python bindings for faults, refusals and records.
#pragma once

#include <nanobind/nanobind.h>

#include <tuple>

#include "../game.h"

namespace cairn {

// Adds the functions to the module. Texts are UTF-8 bytes, in which surrogates are encoded like other characters.
void define_texts(nanobind::module_& module);

// The text in a bytes object.
inline std::string_view view(const nanobind::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

// A fault as (kind, field, details).
nanobind::tuple show_fault(const Fault& fault);

// An outcome as (winner number, reason), or None. `read_outcome` raises ValueError if the reason is unknown.
using OutcomeCode = std::optional<std::tuple<int, std::string>>;
nanobind::object show_outcome(const std::optional<Outcome>& outcome);
std::optional<Outcome> read_outcome(const OutcomeCode& code);

}  // namespace cairn
