#include "playing.h"

#include <optional>

#include "../actions.h"
#include "../moments.h"
#include "guarded.h"
#include "legal_moves.h"
#include "tokens.h"

namespace cairn {

namespace nb = nanobind;

namespace {

[[noreturn]] void raise_type_error(const char* message) {
    PyErr_SetString(PyExc_TypeError, message);
    nb::raise_python_error();
}

// CPython has already checked the type. A subclass may have forgotten to call __init__.
Moments& moments_of(PyObject* self) {
    if (!nb::inst_ready(self)) raise_type_error("the board is not initialised: call super().__init__ first");
    return *nb::inst_ptr<Moments>(self);
}

PyObject* legal_moves(PyObject* self, void*) {
    return guarded([&] {
        TokenList tokens;
        moments_of(self).now().legal_tokens(tokens);
        sort_by_text(tokens);
        return LegalMoves::make(tokens);
    });
}

// The argument `token`, by position or by name.
PyObject* token_argument(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
    if (count + named != 1 || (named == 1 && !nb::handle(PyTuple_GET_ITEM(names, 0)).equal(nb::str("token"))))
        raise_type_error("push() takes one argument: token");
    return arguments[0];
}

// The legal token that the object denotes, with the tile that it flips; nothing if there is none.
std::optional<Token> find_legal(const Position& position, nb::handle object) {
    if (position.phase == Phase::Action)  // most tokens are actions, and listing them takes longer
        if (const auto named = TokenObjects::shared(object)) return ActionSets(position, position.active).find(*named);
    TokenList legal;
    position.legal_tokens(legal);
    const Token* found = TokenObjects::find(object, legal.begin(), legal.end());
    return found != legal.end() ? std::optional(*found) : std::nullopt;
}

// Plays the token if it is legal. Otherwise calls a Python function that raises the right error.
PyObject* push(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    return guarded([&] {
        PyObject* object = token_argument(arguments, count, names);
        Moments& moments = moments_of(self);
        const auto found = find_legal(moments.now(), object);
        if (!found) {
            nb::module_::import_("cairn.refusal").attr("refuse")(nb::handle(self), nb::handle(object));
            nb::raise("cairn.refusal.refuse accepted a token that the core rejects");
        }
        moments.push(*found);
        return nb::none();
    });
}

}  // namespace

const PyType_Slot* playing_slots() {
    static PyGetSetDef properties[] = {{"legal_moves", legal_moves, nullptr, nullptr, nullptr},
                                       {nullptr, nullptr, nullptr, nullptr, nullptr}};
    static PyMethodDef methods[] = {
        {"push", reinterpret_cast<PyCFunction>(slot(push)), METH_FASTCALL | METH_KEYWORDS, nullptr},
        {nullptr, nullptr, 0, nullptr}};
    static const PyType_Slot slots[] = {{Py_tp_getset, properties}, {Py_tp_methods, methods}, {0, nullptr}};
    return slots;
}

}  // namespace cairn
