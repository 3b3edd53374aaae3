// A minimal test framework: `TEST` registers a test function, and `CHECK` records a failure if its condition is false.
//
// The core's tests need no more than this, and a full framework would be one more dependency to install.
#pragma once

#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

namespace cairn::testing {

using TestFunction = void (*)();

// Registers a test under a name. The return value exists only for static initialisation.
bool add_test(std::string_view name, TestFunction function);

// Records a failure. The test continues, but counts as failed.
void fail(std::string_view file, int line, const std::string& what);

template <typename Value>
std::string shown(const Value& value) {
    std::ostringstream out;
    if constexpr (requires { out << value; })
        out << value;
    else
        out << "(a value)";
    return out.str();
}

template <typename Found, typename Expected>
void check_equal(const Found& found, const Expected& expected, std::string_view file, int line, const char* what) {
    if (!(found == expected))
        fail(file, line, std::string(what) + " is " + shown(found) + ", expected " + shown(expected));
}

}  // namespace cairn::testing

#define TEST(name)                                                                                  \
    static void test_##name();                                                                      \
    static const bool added_##name [[maybe_unused]] = cairn::testing::add_test(#name, test_##name); \
    static void test_##name()

#define CHECK(condition) ((condition) ? void() : cairn::testing::fail(__FILE__, __LINE__, #condition))
#define CHECK_EQUAL(found, expected) cairn::testing::check_equal(found, expected, __FILE__, __LINE__, #found)
// Like CHECK, but a failure also shows the context, such as the position.
#define CHECK_IN(context, condition) \
    ((condition) ? void() : cairn::testing::fail(__FILE__, __LINE__, std::string(#condition) + "; " + (context)))
