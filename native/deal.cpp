#include "deal.h"

#include <algorithm>

#include "text.h"

namespace cairn {

namespace {

struct TileRow {
    Variant variant;  // the smallest variant that uses this tile
    std::string_view beginner_start;
};

constexpr std::array<TileRow, TileLimit> TileRows{{
#define CAIRN_MEGALITH(code, variant, beginner_start) {Variant::variant, beginner_start},
#include "megaliths.inc"
#undef CAIRN_MEGALITH
}};

constexpr std::array<Tile, TileLimit> AllTiles = [] {
    std::array<Tile, TileLimit> tiles{};
    for (std::size_t index = 0; index < TileLimit; ++index) tiles[index] = Tile(index);
    return tiles;
}();

// Each variant uses the first tiles of the table, so the table must be sorted by variant.
constexpr bool by_variant = [] {
    for (std::size_t index = 1; index < TileLimit; ++index)
        if (TileRows[index].variant < TileRows[index - 1].variant) return false;
    return true;
}();
static_assert(by_variant);

constexpr std::array<Space, 2> StoneCircles{make_space(1, 2), make_space(3, 2)};  // B3

}  // namespace

std::span<const Tile> tiles_of(Variant variant) {
    const auto count = std::count_if(TileRows.begin(), TileRows.end(),
                                     [variant](const TileRow& row) { return row.variant <= variant; });
    return std::span(AllTiles).first(std::size_t(count));
}

std::optional<Position> deal(Variant variant, std::span<const Tile> order, int faces, Tribe first) {
    const auto tiles = tiles_of(variant);
    if (!std::is_permutation(tiles.begin(), tiles.end(), order.begin(), order.end())) return std::nullopt;

    Position position;
    for (int column : {0, 2, 4}) {  // S1
        position.place_shaman(Forest, make_space(column, 0));
        position.place_shaman(Sea, make_space(column, Rows - 1));
    }
    std::size_t circles = 0, slots = 0;
    for (Tile tile : order) {
        const Space fixed = read_space(TileRows[tile].beginner_start);
        if (variant == Variant::Beginner && fixed != Nowhere)  // S2
            position.place_megalith(tile, fixed);
        else if (variant != Variant::Beginner && circles < StoneCircles.size())
            position.place_megalith(tile, StoneCircles[circles++]);
        else if (slots < 2)  // S3
            position.set_upcoming(int(slots++), tile);
        else
            position.unknown_deck |= bit(tile);
    }
    position.faces = std::uint8_t(faces % FaceSets);  // S4
    position.active = first;                          // S5
    position.key = position.fresh_key();
    position.begin_turn();
    return position;
}

}  // namespace cairn
