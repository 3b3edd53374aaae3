// The type of `Board.legal_moves`: the legal tokens of one moment as a Python sequence.
#pragma once

#include <nanobind/nanobind.h>

#include "../token.h"

namespace cairn {

// A bare CPython type rather than a nanobind class, for speed. Every read of `Board.legal_moves` creates an object, and
// a Python program that plays games spends most of its time here.
class LegalMoves {
  public:
    // Adds the type to the module.
    static void define(nanobind::module_& module);

    // Returns a new sequence of these tokens, in this order.
    static nanobind::object make(const TokenList& tokens);
};

}  // namespace cairn
