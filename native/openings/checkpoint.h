// The solver's tables in a file, so that an interrupted run can be resumed.
#pragma once

#include <string>

#include "race_solver.h"

namespace cairn::openings {

// Replaces the file only when the new one is complete. Throws std::runtime_error if it cannot be written.
void save(RaceSolver& solver, const std::string& path);

// Returns false if there is no file. Throws std::runtime_error if it is damaged or belongs to another solver; the
// solver must not be used then.
bool restore(RaceSolver& solver, const std::string& path);

}  // namespace cairn::openings
