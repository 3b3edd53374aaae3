// SHA-256 (FIPS 180-4) and HMAC (RFC 2104), which determine the deals and draws of a game; see chance.h.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cairn {

using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::string_view message);
Digest hmac_sha256(std::string_view key, std::string_view message);

}  // namespace cairn
