// What the processor can do. The compilers' own __builtin_cpu_supports needs a library that Zig does not have.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#endif

namespace cairn {

// Whether the processor and the operating system support every instruction set of x86-64-v3 that compilers can ask for.
inline bool runs_v3() {
#if defined(__x86_64__) && defined(__GNUC__)
    constexpr unsigned Fma = 1u << 12, Movbe = 1u << 22, Popcnt = 1u << 23, Osxsave = 1u << 27, Avx = 1u << 28,
                       F16c = 1u << 29;                                 // leaf 1, ecx
    constexpr unsigned Bmi1 = 1u << 3, Avx2 = 1u << 5, Bmi2 = 1u << 8;  // leaf 7, ebx
    constexpr unsigned Lzcnt = 1u << 5;                                 // leaf 0x80000001, ecx
    constexpr unsigned SavesVectors = 6;                                // XCR0: the halves of the ymm registers
    const auto has = [](unsigned given, unsigned wanted) { return (given & wanted) == wanted; };

    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !has(ecx, Fma | Movbe | Popcnt | Osxsave | Avx | F16c)) return false;
    unsigned low = 0, high = 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if (!has(low, SavesVectors)) return false;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || !has(ebx, Bmi1 | Avx2 | Bmi2)) return false;
    return __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) && has(ecx, Lzcnt);
#else
    return false;
#endif
}

}  // namespace cairn
