// Deals and draws determined by a secret key, as docs/fairness.md specifies.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "deal.h"

namespace cairn {

// Random numbers from HMAC-SHA-256 in counter mode. They are the same on every machine and do not reveal the key.
class KeyedRandom {
  public:
    // The key must outlive the generator.
    KeyedRandom(std::string_view key, std::string_view purpose) : key_(key), purpose_(purpose) {}

    // A number from 0 to `bound` - 1, each equally likely. Precondition: 1 <= bound < 2^31.
    std::uint32_t below(std::uint32_t bound);

  private:
    std::string_view key_;
    std::string purpose_;
    int blocks_ = 0;
};

// The start of a game (S1-S5). Without `first`, the key also determines which tribe begins.
Position deal(std::string_view key, Variant variant, std::optional<Tribe> first);

// The tile for the draw with this number, counted from 0. Precondition: chance decides.
Token draw(std::string_view key, int number, const Position& position);

}  // namespace cairn
