// The parts of the C and C++ libraries used by the core, so that the module can be linked without the libraries. The
// libraries would have to be built first, which takes minutes, and they would import functions for file access.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

// Keeps the compiler from replacing the loop in one of these functions with a call to the function itself.
#define CAIRN_LIBRARY(name) __attribute__((no_builtin(#name)))

// --- Memory: blocks of 2^n bytes. A freed block is reused when that size is needed again. Memory is never given back.
namespace {

constexpr std::size_t HeaderSize = 16, PageSize = 64 * 1024;

struct alignas(16) Header {
    Header* next_free;
    std::uint32_t size_class;
};
static_assert(sizeof(Header) == HeaderSize);

std::array<Header*, 32> free_blocks{};
std::uintptr_t heap_end = 0;

extern "C" unsigned char __heap_base;

Header* new_block(std::size_t size_class) {
    if (heap_end == 0) heap_end = (std::uintptr_t(&__heap_base) + 15) & ~std::uintptr_t{15};
    const std::uintptr_t start = heap_end;
    heap_end += std::size_t{1} << size_class;
    const std::size_t held = __builtin_wasm_memory_size(0) * PageSize;
    if (heap_end > held &&
        __builtin_wasm_memory_grow(0, (heap_end - held + PageSize - 1) / PageSize) == std::size_t(-1))
        __builtin_trap();
    return reinterpret_cast<Header*>(start);
}

void* allocate(std::size_t size) {
    const auto size_class = std::size_t(std::bit_width(size + HeaderSize - 1));
    Header*& first_free = free_blocks[size_class];
    Header* block = first_free;
    if (block != nullptr)
        first_free = block->next_free;
    else
        block = new_block(size_class);
    block->size_class = std::uint32_t(size_class);
    return block + 1;
}

void release(void* place) {
    if (place == nullptr) return;
    Header* block = static_cast<Header*>(place) - 1;
    Header*& first_free = free_blocks[block->size_class];
    block->next_free = first_free;
    first_free = block;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* place) noexcept { release(place); }
void operator delete[](void* place) noexcept { release(place); }
void operator delete(void* place, std::size_t) noexcept { release(place); }
void operator delete[](void* place, std::size_t) noexcept { release(place); }

// --- The C library.
extern "C" {

CAIRN_LIBRARY(memcmp) int memcmp(const void* one, const void* other, std::size_t size) {
    const auto* a = static_cast<const unsigned char*>(one);
    const auto* b = static_cast<const unsigned char*>(other);
    for (; size > 0; --size, ++a, ++b)
        if (*a != *b) return *a - *b;
    return 0;
}

CAIRN_LIBRARY(memchr) void* memchr(const void* text, int letter, std::size_t size) {
    const auto* at = static_cast<const unsigned char*>(text);
    for (; size > 0; --size, ++at)
        if (*at == static_cast<unsigned char>(letter)) return const_cast<unsigned char*>(at);
    return nullptr;
}

CAIRN_LIBRARY(strlen) std::size_t strlen(const char* text) {
    std::size_t length = 0;
    while (text[length] != 0) ++length;
    return length;
}

// The module never exits, so no static object is destroyed.
int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }

void __wasm_call_ctors();
__attribute__((export_name("_initialize"))) void initialize() { __wasm_call_ctors(); }

}  // extern "C"

// --- The C++ library.
template class std::basic_string<char>;
template std::string std::operator+(const char*, const std::string&);
namespace std {

const nothrow_t nothrow{};

inline namespace __1 {

// The library sorts numbers with an internal function, which the headers only declare.
template <typename Compare, typename Iterator>
void __sort(Iterator first, Iterator last, Compare) {
    sort(first, last, [](auto one, auto other) { return one < other; });
}
template void __sort<__less<unsigned long long>&, unsigned long long*>(unsigned long long*, unsigned long long*,
                                                                       __less<unsigned long long>&);

[[noreturn]] void __libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }

namespace {

string number_text(long long number) {
    auto rest = number < 0 ? 0ull - static_cast<unsigned long long>(number) : static_cast<unsigned long long>(number);
    string digits;
    do digits.insert(digits.begin(), char('0' + rest % 10));
    while ((rest /= 10) != 0);
    if (number < 0) digits.insert(digits.begin(), '-');
    return digits;
}

}  // namespace

string to_string(int number) { return number_text(number); }
string to_string(long number) { return number_text(number); }
string to_string(long long number) { return number_text(number); }
string to_string(unsigned long number) { return number_text(static_cast<long long>(number)); }

}  // namespace __1
}  // namespace std
