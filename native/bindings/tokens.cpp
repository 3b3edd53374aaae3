#include "tokens.h"

#include <nanobind/stl/string.h>

#include <algorithm>

namespace cairn {

nb::object TokenObjects::of(Token token) {
    if (objects_.empty()) objects_.resize(Token::CodeLimit, nullptr);
    PyObject*& object = objects_[token.code()];
    if (object == nullptr) {
        nb::object made = nb::module_::import_("cairn.notation.tokens").attr("read_token")(write_token(token));
        object = made.release().ptr();  // lives as long as the process, like an interned string
        codes_[object] = token.code();
    }
    return nb::borrow(object);
}

std::optional<Token> TokenObjects::read(nb::handle object) {
    if (const auto known = codes_.find(object.ptr()); known != codes_.end()) return Token(known->second);
    const nb::object text = nb::isinstance<nb::str>(object) ? nb::borrow(object) : nb::object(nb::str(object));
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) {  // a lone surrogate: no token has one
        PyErr_Clear();
        return std::nullopt;
    }
    return read_token(std::string_view(data, std::size_t(size)));
}

nb::object LegalMoves::at(std::ptrdiff_t index) const {
    const auto size = std::ptrdiff_t(tokens_.size());
    if (index < 0) index += size;
    if (index < 0 || index >= size) throw nb::index_error("no such legal move");
    return TokenObjects::of(tokens_[std::size_t(index)]);
}

bool LegalMoves::contains(nb::handle object) const {
    const auto token = TokenObjects::read(object);
    return token && std::find(tokens_.begin(), tokens_.end(), *token) != tokens_.end();
}

nb::list LegalMoves::list() const {
    nb::list objects;
    for (Token token : tokens_) objects.append(TokenObjects::of(token));
    return objects;
}

}  // namespace cairn
