// The Python objects that stand for tokens.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>
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

// The legal tokens of one moment, in ASCII order: what `Board.legal_moves` gives.
class LegalMoves {
  public:
    explicit LegalMoves(const TokenList& tokens) : tokens_(tokens.begin(), tokens.end()) {}

    std::size_t size() const { return tokens_.size(); }
    nb::object at(std::ptrdiff_t index) const;
    bool contains(nb::handle object) const;
    nb::list list() const;

  private:
    std::vector<Token> tokens_;
};

}  // namespace cairn
