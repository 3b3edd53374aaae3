// Runs all tests, or only those whose names contain one of the arguments.
#include <cstdlib>
#include <exception>
#include <span>
#include <vector>

#include "check.h"

namespace cairn::testing {

namespace {

struct Test {
    std::string_view name;
    TestFunction function;
};

// A static inside a function, so that it exists before the first test is added, whichever file is initialised first.
std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

constexpr int MostLinesShown = 20;  // per test, because a broken core fails everywhere
int failures_of_this_test = 0;

bool is_wanted(std::string_view name, std::span<char*> parts) {
    if (parts.empty()) return true;
    for (const char* part : parts)
        if (name.find(part) != std::string_view::npos) return true;
    return false;
}

bool passes(const Test& test) {
    failures_of_this_test = 0;
    try {
        test.function();
    } catch (const std::exception& error) {
        fail("exception", 0, error.what());
    }
    if (failures_of_this_test > 0) std::cout << "FAILED " << test.name << ": " << failures_of_this_test << " checks\n";
    return failures_of_this_test == 0;
}

}  // namespace

bool add_test(std::string_view name, TestFunction function) {
    tests().push_back({name, function});
    return true;
}

void fail(std::string_view file, int line, const std::string& what) {
    if (++failures_of_this_test > MostLinesShown) return;
    std::cout << file << ":" << line << ": " << what << "\n";
}

}  // namespace cairn::testing

int main(int count, char** arguments) {
    using namespace cairn::testing;
    const std::span<char*> wanted(arguments + 1, std::size_t(count - 1));
    int passed = 0, failed = 0;
    for (const Test& test : tests())
        if (is_wanted(test.name, wanted)) ++(passes(test) ? passed : failed);
    std::cout << "native: " << passed << " passed, " << failed << " failed" << std::endl;
    return failed == 0 && passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
