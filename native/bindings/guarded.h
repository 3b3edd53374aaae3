// For functions that CPython calls directly, without nanobind in between.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <new>

namespace cairn {

// Returns the body's result, or null with the Python exception set.
template <typename Body>
PyObject* guarded(Body body) {
    try {
        return body().release().ptr();
    } catch (nanobind::python_error& error) {
        error.restore();
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return nullptr;
}

// A function as the value of a type slot.
template <typename Function>
void* slot(Function* function) {
    return reinterpret_cast<void*>(function);
}

}  // namespace cairn
