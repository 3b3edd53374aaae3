#include "legal_moves.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>

#include "guarded.h"
#include "tokens.h"

namespace cairn {

namespace nb = nanobind;

namespace {

struct Sequence {
    PyObject_VAR_HEAD Token tokens[1];  // the actual length is Py_SIZE

    const Token* begin() const { return tokens; }
    const Token* end() const { return tokens + Py_SIZE(this); }
};

PyTypeObject* sequence_type = nullptr;

const Sequence& self_of(PyObject* object) { return *reinterpret_cast<const Sequence*>(object); }

nb::list list_of(PyObject* self) {
    nb::list objects;
    for (Token token : self_of(self)) objects.append(TokenObjects::of(token));
    return objects;
}

Py_ssize_t length(PyObject* self) { return Py_SIZE(self); }
int is_true(PyObject* self) { return Py_SIZE(self) != 0; }

// Python has already added the length to a negative index.
PyObject* item(PyObject* self, Py_ssize_t index) {
    if (index < 0 || index >= Py_SIZE(self)) {
        PyErr_SetString(PyExc_IndexError, "legal move index out of range");
        return nullptr;
    }
    return guarded([&] { return TokenObjects::of(self_of(self).tokens[index]); });
}

int contains(PyObject* self, PyObject* object) {
    try {
        return TokenObjects::find(object, self_of(self).begin(), self_of(self).end()) != self_of(self).end();
    } catch (nb::python_error& error) {
        error.restore();
        return -1;
    }
}

PyObject* iterate(PyObject* self) {
    return guarded([&] { return nb::steal(PyObject_GetIter(list_of(self).ptr())); });
}

PyObject* represent(PyObject* self) {
    return guarded([&] { return nb::object(nb::str("<LegalMoves {}>").format(list_of(self))); });
}

PyObject* count(PyObject* self, PyObject*) { return PyLong_FromSsize_t(Py_SIZE(self)); }

PyObject* not_constructible(PyTypeObject*, PyObject*, PyObject*) {
    PyErr_SetString(PyExc_TypeError, "LegalMoves cannot be created directly: use Board.legal_moves");
    return nullptr;
}

void deallocate(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

}  // namespace

void LegalMoves::define(nb::module_& module) {
    static PyMethodDef methods[] = {{"count", count, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
    PyType_Slot slots[] = {{Py_sq_length, slot(length)},      {Py_sq_item, slot(item)},
                           {Py_sq_contains, slot(contains)},  {Py_nb_bool, slot(is_true)},
                           {Py_tp_iter, slot(iterate)},       {Py_tp_repr, slot(represent)},
                           {Py_tp_methods, methods},          {Py_tp_new, slot(not_constructible)},
                           {Py_tp_dealloc, slot(deallocate)}, {0, nullptr}};
    const std::string name = nb::cast<std::string>(module.attr("__name__")) + ".LegalMoves";
    PyType_Spec spec = {name.c_str(), int(offsetof(Sequence, tokens)), int(sizeof(Token)), Py_TPFLAGS_DEFAULT, slots};
    nb::object type = nb::steal(PyType_FromSpec(&spec));
    if (!type.is_valid()) nb::raise_python_error();
    module.attr("LegalMoves") = type;
    sequence_type = reinterpret_cast<PyTypeObject*>(type.release().ptr());  // kept for the lifetime of the process
}

nb::object LegalMoves::make(const TokenList& tokens) {
    auto* sequence = PyObject_NewVar(Sequence, sequence_type, tokens.size());
    if (sequence == nullptr) nb::raise_python_error();
    std::copy(tokens.begin(), tokens.end(), sequence->tokens);
    return nb::steal(reinterpret_cast<PyObject*>(sequence));
}

}  // namespace cairn
