// Vectors of 16-bit integers, for the network. Every version gives exactly the same results.
//
// A version provides vectors of `Size` integers and the few operations that the network needs. `Lanes` is the fastest
// version for the target; tests compare it with `PortableLanes`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace cairn {

struct PortableLanes {
    static constexpr std::size_t Size = 8;
    using Words = std::array<std::int16_t, Size>;
    using Sums = std::array<std::int32_t, Size / 2>;

    static Words load(const std::int16_t* from) {
        Words words;
        for (std::size_t lane = 0; lane < Size; ++lane) words[lane] = from[lane];
        return words;
    }
    static void store(std::int16_t* to, Words words) {
        for (std::size_t lane = 0; lane < Size; ++lane) to[lane] = words[lane];
    }
    // Sums and products wrap around, as those of the vector instructions do.
    static Words add(Words a, Words b) {
        for (std::size_t lane = 0; lane < Size; ++lane) a[lane] = std::int16_t(a[lane] + b[lane]);
        return a;
    }
    static Words subtract(Words a, Words b) {
        for (std::size_t lane = 0; lane < Size; ++lane) a[lane] = std::int16_t(a[lane] - b[lane]);
        return a;
    }
    static Words multiply(Words a, Words b) {
        for (std::size_t lane = 0; lane < Size; ++lane) a[lane] = std::int16_t(a[lane] * b[lane]);
        return a;
    }
    // Limits every integer to the range from 0 to `most`.
    static Words clip(Words a, std::int16_t most) {
        for (std::int16_t& word : a) word = word < 0 ? std::int16_t(0) : word > most ? most : word;
        return a;
    }
    // Multiplies the vectors, and adds the products in pairs to the sums.
    static Sums dot(Sums sums, Words a, Words b) {
        for (std::size_t lane = 0; lane < Size; ++lane) sums[lane / 2] += a[lane] * b[lane];
        return sums;
    }
    static Sums no_sums() { return {}; }
    static std::int32_t total(Sums sums) {
        std::int32_t total = 0;
        for (std::int32_t sum : sums) total += sum;
        return total;
    }
};

#if defined(__AVX2__)

struct Avx2Lanes {
    static constexpr std::size_t Size = 16;
    using Words = __m256i;
    using Sums = __m256i;

    static Words load(const std::int16_t* from) { return _mm256_loadu_si256(reinterpret_cast<const Words*>(from)); }
    static void store(std::int16_t* to, Words words) { _mm256_storeu_si256(reinterpret_cast<Words*>(to), words); }
    static Words add(Words a, Words b) { return _mm256_add_epi16(a, b); }
    static Words subtract(Words a, Words b) { return _mm256_sub_epi16(a, b); }
    static Words multiply(Words a, Words b) { return _mm256_mullo_epi16(a, b); }
    static Words clip(Words a, std::int16_t most) {
        return _mm256_min_epi16(_mm256_max_epi16(a, _mm256_setzero_si256()), _mm256_set1_epi16(most));
    }
    static Sums dot(Sums sums, Words a, Words b) { return _mm256_add_epi32(sums, _mm256_madd_epi16(a, b)); }
    static Sums no_sums() { return _mm256_setzero_si256(); }
    static std::int32_t total(Sums sums) {
        __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0b01'00'11'10));
        return _mm_cvtsi128_si32(_mm_add_epi32(four, _mm_shuffle_epi32(four, 0b10'11'00'01)));
    }
};
using Lanes = Avx2Lanes;

#elif defined(__SSE2__)

struct Sse2Lanes {
    static constexpr std::size_t Size = 8;
    using Words = __m128i;
    using Sums = __m128i;

    static Words load(const std::int16_t* from) { return _mm_loadu_si128(reinterpret_cast<const Words*>(from)); }
    static void store(std::int16_t* to, Words words) { _mm_storeu_si128(reinterpret_cast<Words*>(to), words); }
    static Words add(Words a, Words b) { return _mm_add_epi16(a, b); }
    static Words subtract(Words a, Words b) { return _mm_sub_epi16(a, b); }
    static Words multiply(Words a, Words b) { return _mm_mullo_epi16(a, b); }
    static Words clip(Words a, std::int16_t most) {
        return _mm_min_epi16(_mm_max_epi16(a, _mm_setzero_si128()), _mm_set1_epi16(most));
    }
    static Sums dot(Sums sums, Words a, Words b) { return _mm_add_epi32(sums, _mm_madd_epi16(a, b)); }
    static Sums no_sums() { return _mm_setzero_si128(); }
    static std::int32_t total(Sums sums) {
        sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0b01'00'11'10));
        return _mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0b10'11'00'01)));
    }
};
using Lanes = Sse2Lanes;

#elif defined(__wasm_simd128__)

struct WasmLanes {
    static constexpr std::size_t Size = 8;
    using Words = v128_t;
    using Sums = v128_t;

    static Words load(const std::int16_t* from) { return wasm_v128_load(from); }
    static void store(std::int16_t* to, Words words) { wasm_v128_store(to, words); }
    static Words add(Words a, Words b) { return wasm_i16x8_add(a, b); }
    static Words subtract(Words a, Words b) { return wasm_i16x8_sub(a, b); }
    static Words multiply(Words a, Words b) { return wasm_i16x8_mul(a, b); }
    static Words clip(Words a, std::int16_t most) {
        return wasm_i16x8_min(wasm_i16x8_max(a, wasm_i16x8_splat(0)), wasm_i16x8_splat(most));
    }
    static Sums dot(Sums sums, Words a, Words b) { return wasm_i32x4_add(sums, wasm_i32x4_dot_i16x8(a, b)); }
    static Sums no_sums() { return wasm_i32x4_splat(0); }
    static std::int32_t total(Sums sums) {
        return wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1) + wasm_i32x4_extract_lane(sums, 2) +
               wasm_i32x4_extract_lane(sums, 3);
    }
};
using Lanes = WasmLanes;

#else
using Lanes = PortableLanes;
#endif

}  // namespace cairn
