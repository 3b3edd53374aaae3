// The Python objects that represent tokens.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <unordered_map>
#include <vector>

#include "../token.h"

namespace cairn {

namespace nb = nanobind;

// In Python, tokens are values of cairn.vocabulary. Each object is created once, on first use, and then shared.
// Listing legal tokens thus creates no objects, and a token that Python passes back is recognised by its address.
class TokenObjects {
  public:
    static nb::object of(Token token);

    // Converts a Python token or string; returns nothing if it is not a valid token.
    static std::optional<Token> read(nb::handle object);

  private:
    static inline std::vector<PyObject*> objects_;
    static inline std::unordered_map<PyObject*, std::uint32_t> codes_;
};

}  // namespace cairn
