#include "chance.h"

#include <bit>
#include <utility>
#include <vector>

#include "sha256.h"

namespace cairn {

// Rejection sampling: numbers that are too large are drawn again.
std::uint32_t KeyedRandom::below(std::uint32_t bound) {
    for (;;) {
        const Digest block = hmac_sha256(key_, purpose_ + " " + std::to_string(blocks_++));
        const std::uint32_t bits = std::uint32_t(block[0]) << 24 | std::uint32_t(block[1]) << 16 |
                                   std::uint32_t(block[2]) << 8 | std::uint32_t(block[3]);
        const std::uint32_t number = bits >> (32 - std::bit_width(bound));
        if (number < bound) return number;
    }
}

Position deal(std::string_view key, Variant variant, std::optional<Tribe> first) {
    KeyedRandom random(key, "deal");
    const auto tiles = tiles_of(variant);
    std::vector<Tile> order(tiles.begin(), tiles.end());
    for (std::size_t last = order.size() - 1; last > 0; --last)
        std::swap(order[last], order[random.below(std::uint32_t(last + 1))]);
    int faces = 0;
    for (int tile = 0; tile < 4; ++tile) faces |= int(random.below(2)) << tile;
    const Tribe tossed = Tribe(random.below(2));  // tossed even if `first` is given (docs/fairness.md)
    return *deal(variant, order, faces, first.value_or(tossed));
}

Token draw(std::string_view key, int number, const Position& position) {
    TokenList tiles;
    position.legal_tokens(tiles);
    sort_by_text(tiles);
    KeyedRandom random(key, "draw " + std::to_string(number));
    return tiles[int(random.below(std::uint32_t(tiles.size())))];
}

}  // namespace cairn
