// A small, fast, reproducible random number generator, good enough for playouts.
#pragma once

#include <cstdint>

#include "zobrist.h"

namespace cairn {

// splitmix64.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15); }
    std::uint32_t next32() { return std::uint32_t(next() >> 32); }

  private:
    std::uint64_t state_;
};

}  // namespace cairn
