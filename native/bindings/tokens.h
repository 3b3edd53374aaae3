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

    // Finds the token that a Python token or string denotes; returns `end` if it is not there or not a token.
    static const Token* find(nb::handle object, const Token* begin, const Token* end);

    // The token of a shared object; nothing for any other object.
    static std::optional<Token> shared(nb::handle object);

  private:
    static std::optional<Token> read(nb::handle object);

    static inline std::vector<PyObject*> objects_;
    static inline std::unordered_map<PyObject*, std::uint32_t> codes_;
};

}  // namespace cairn
