// The Python objects that stand for tokens.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <unordered_map>
#include <vector>

#include "../token.h"

namespace cairn {

namespace nb = nanobind;

// Python sees tokens as the values of cairn.vocabulary. Each is made once, when it is first met, and then shared, so
// that handing out a list of legal tokens makes no objects and a token that comes back is known by its address.
class TokenObjects {
  public:
    static nb::object of(Token token);

    // The token that a Python token or a text means; nothing if it means none.
    static std::optional<Token> read(nb::handle object);

  private:
    static inline std::vector<PyObject*> objects_;
    static inline std::unordered_map<PyObject*, std::uint32_t> codes_;
};

}  // namespace cairn
