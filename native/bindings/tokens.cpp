#include "tokens.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string_view>

namespace cairn {

namespace {

nb::object token_class() { return nb::module_::import_("cairn.vocabulary.tokens").attr("Token"); }

}  // namespace

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

std::optional<Token> TokenObjects::shared(nb::handle object) {
    const auto known = codes_.find(object.ptr());
    return known != codes_.end() ? std::optional(Token(known->second)) : std::nullopt;
}

const Token* TokenObjects::find(nb::handle object, const Token* begin, const Token* end) {
    const auto token = read(object);
    return token ? std::find(begin, end, *token) : end;
}

std::optional<Token> TokenObjects::read(nb::handle object) {
    if (const auto known = shared(object)) return known;
    nb::object text = nb::borrow(object);
    if (!nb::isinstance<nb::str>(object)) {
        if (!PyObject_IsInstance(object.ptr(), token_class().ptr())) return std::nullopt;
        text = nb::str(object);
    }
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) {  // a lone surrogate, which no token contains
        PyErr_Clear();
        return std::nullopt;
    }
    return read_token(std::string_view(data, std::size_t(size)));
}

}  // namespace cairn
