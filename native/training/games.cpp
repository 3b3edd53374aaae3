#include "games.h"

#include <algorithm>
#include <string_view>

namespace cairn::training {

namespace {

constexpr std::string_view Magic = "CAIRNSP";
constexpr std::size_t GameHeaderSize = 5;
constexpr std::uint32_t ScoreFollows = Token::CodeLimit;

void put(Bytes& bytes, std::uint64_t number, int size) {
    for (int index = 0; index < size; ++index) bytes.push_back(std::uint8_t(number >> (8 * index)));
}

std::uint64_t get(std::span<const std::uint8_t> bytes, std::size_t start, int size) {
    std::uint64_t number = 0;
    for (int index = 0; index < size; ++index)
        number |= std::uint64_t(bytes[start + std::size_t(index)]) << (8 * index);
    return number;
}

}  // namespace

void write_header(const FileHeader& header, Bytes& bytes) {
    bytes.insert(bytes.end(), Magic.begin(), Magic.end());
    bytes.push_back(std::uint8_t('0' + int(header.style)));
    put(bytes, header.seed, 8);
    put(bytes, header.network, 8);
    put(bytes, header.nodes, 4);
    put(bytes, header.shard, 4);
}

std::optional<FileHeader> read_header(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < FileHeader::Size || !std::equal(Magic.begin(), Magic.end(), bytes.begin())) return std::nullopt;
    const int style = bytes[Magic.size()] - '0';
    if (style != int(Style::Varied) && style != int(Style::Even)) return std::nullopt;
    return FileHeader{get(bytes, 8, 8), get(bytes, 16, 8), std::uint32_t(get(bytes, 24, 4)),
                      std::uint32_t(get(bytes, 28, 4)), Style(style)};
}

void write_game(const SelfPlayGame& game, Bytes& bytes) {
    put(bytes, game.tokens.size(), 2);
    put(bytes, std::uint64_t(game.variant), 1);
    put(bytes, std::uint64_t(game.faces | game.first << 4), 1);
    put(bytes, std::uint64_t(game.winner), 1);
    for (Tile tile : game.order) put(bytes, tile, 1);
    for (const PlayedToken& played : game.tokens) {
        put(bytes, played.token.code() | (played.score ? ScoreFollows : 0), 3);
        if (played.score) put(bytes, std::uint16_t(*played.score), 2);
    }
}

bool GameReader::next(SelfPlayGame& game) {
    if (rest_.size() < GameHeaderSize) return false;
    const std::size_t count = std::size_t(get(rest_, 0, 2));
    const std::uint8_t variant = rest_[2], dealt = rest_[3], winner = rest_[4];
    if (variant >= VariantNames.size() || dealt >= 2 * FaceSets || winner > std::uint8_t(Winner::Sea)) return false;
    game.variant = Variant(variant);
    game.faces = dealt % FaceSets;
    game.first = Tribe(dealt / FaceSets);
    game.winner = Winner(winner);

    const std::size_t tiles = tiles_of(game.variant).size();
    if (rest_.size() < GameHeaderSize + tiles) return false;
    game.order.clear();
    for (std::uint8_t tile : rest_.subspan(GameHeaderSize, tiles)) game.order.push_back(Tile(tile));
    if (!deal(game.variant, game.order, game.faces, game.first)) return false;

    std::size_t at = GameHeaderSize + tiles;
    game.tokens.clear();
    for (std::size_t index = 0; index < count; ++index) {
        if (rest_.size() < at + 3) return false;
        const auto bits = std::uint32_t(get(rest_, at, 3));
        at += 3;
        PlayedToken played{Token(bits & (Token::CodeLimit - 1)), std::nullopt};
        if ((bits & ScoreFollows) != 0) {
            if (rest_.size() < at + 2) return false;
            played.score = std::int16_t(get(rest_, at, 2));
            at += 2;
        }
        game.tokens.push_back(played);
    }
    rest_ = rest_.subspan(at);
    return true;
}

}  // namespace cairn::training
