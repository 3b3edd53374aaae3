#include "text.h"

#include <algorithm>
#include <vector>

namespace cairn {

namespace {

constexpr std::string_view TribeLetters = "FS";
constexpr std::string_view EmptySlot = "--";

// Each function below reads one field and returns whether the field is well-formed. `used` collects the tiles.

bool read_shamans(std::string_view text, Position& position) {
    const auto rows = split(text, '/');
    if (rows.size() != Rows) return false;
    for (int row = 0; row < Rows; ++row) {
        int column = 0;
        bool after_digit = false;
        for (char letter : rows[std::size_t(Rows - 1 - row)]) {
            const bool digit = letter >= '1' && letter <= '5';
            const std::size_t tribe = TribeLetters.find(letter);
            if (digit ? after_digit : tribe == std::string_view::npos) return false;
            if (column >= Columns) return false;
            if (!digit) {
                if (position.villages[tribe] == 0) return false;
                position.place_shaman(Tribe(tribe), make_space(column, row));
            }
            column += digit ? letter - '0' : 1;
            after_digit = digit;
        }
        if (column != Columns) return false;
    }
    return true;
}

bool use_tile(Tile tile, Tiles& used) {
    if (tile == NoTile || (used & bit(tile)) != 0) return false;
    used |= bit(tile);
    return true;
}

bool read_megaliths(std::string_view text, Position& position, Tiles& used) {
    if (text == "-") return true;
    int previous = -1;
    for (std::string_view entry : split(text, ',')) {
        if (entry.size() != 4) return false;
        const Space space = read_space(entry.substr(0, 2));
        const Tile tile = tile_of(entry.substr(2));
        if (space == Nowhere || space <= previous || !use_tile(tile, used)) return false;
        position.place_megalith(tile, space);
        previous = space;
    }
    return true;
}

bool read_upcoming(std::string_view text, Position& position, Tiles& used) {
    if (text.size() != 4) return false;
    for (int slot : {0, 1}) {
        const std::string_view code = text.substr(std::size_t(2 * slot), 2);
        if (code == EmptySlot) continue;
        if (!use_tile(tile_of(code), used)) return false;
        position.set_upcoming(slot, tile_of(code));
    }
    return true;
}

bool read_deck(std::string_view text, Position& position, Tiles& used) {
    if (text == "-") return true;
    if (text.empty()) return false;
    if (text[0] == '(') {
        const std::size_t close = text.find(')');
        if (close == std::string_view::npos || close % 2 == 0 || close < 5) return false;
        std::string_view previous;
        for (std::size_t index = 1; index < close; index += 2) {
            const std::string_view code = text.substr(index, 2);
            if (code <= previous || !use_tile(tile_of(code), used)) return false;
            position.unknown_deck |= bit(tile_of(code));
            previous = code;
        }
        text.remove_prefix(close + 1);
    }
    if (text.size() % 2 != 0) return false;
    for (std::size_t index = 0; index < text.size(); index += 2) {
        const Tile tile = tile_of(text.substr(index, 2));
        if (!use_tile(tile, used)) return false;
        position.put_under_deck(tile);
    }
    return true;
}

bool read_faces(std::string_view text, Position& position) {
    if (text.size() != 4) return false;
    for (std::size_t tile = 0; tile < 4; ++tile) {
        if (text[tile] == FaceLetters[1][tile])
            position.faces = std::uint8_t(position.faces | 1 << tile);
        else if (text[tile] != FaceLetters[0][tile])
            return false;
    }
    return true;
}

bool read_scores(std::string_view text, Position& position) {
    if (text.size() != 3 || text[1] != '-') return false;
    for (std::size_t tribe : {0u, 1u}) {
        const int score = text[2 * tribe] - '0';
        if (score < 0 || score >= PointsToWin) return false;
        position.scores[tribe] = std::uint8_t(score);
    }
    return true;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::string write_space(Space space) { return {char('a' + column_of(space)), char('1' + row_of(space))}; }

Space read_space(std::string_view text) {
    if (text.size() != 2) return Nowhere;
    const int column = text[0] - 'a', row = text[1] - '1';
    if (column < 0 || column >= Columns || row < 0 || row >= Rows) return Nowhere;
    return make_space(column, row);
}

std::string write_position(const Position& position) {
    std::string text;
    for (int row = Rows - 1; row >= 0; --row) {
        int gap = 0;
        const auto close_gap = [&] {
            if (gap != 0) text += char('0' + gap);
            gap = 0;
        };
        for (int column = 0; column < Columns; ++column) {
            const Spaces here = bit(make_space(column, row));
            if ((position.occupied() & here) == 0) {
                ++gap;
                continue;
            }
            close_gap();
            text += TribeLetters[(position.shamans[Sea] & here) != 0];
        }
        close_gap();
        text += row != 0 ? '/' : ' ';
    }

    if (position.megaliths == 0) text += "-,";
    for_each(position.megaliths, [&](Space space) {
        text += write_space(space);
        text += TileCodes[position.tile_at[space]];
        text += ',';
    });
    text.back() = ' ';

    for (Tile tile : position.upcoming) text += tile == NoTile ? EmptySlot : TileCodes[tile];
    text += ' ';

    if (position.deck_is_empty()) text += '-';
    if (position.unknown_deck != 0) {
        std::vector<std::string_view> codes;
        for (Tiles rest = position.unknown_deck; rest != 0; rest &= rest - 1)
            codes.push_back(TileCodes[std::size_t(std::countr_zero(rest))]);
        std::sort(codes.begin(), codes.end());
        text += '(';
        for (std::string_view code : codes) text += code;
        text += ')';
    }
    for (std::size_t index = 0; index < position.known_count; ++index) text += TileCodes[position.known_deck[index]];
    text += ' ';

    for (std::size_t tile = 0; tile < 4; ++tile) text += FaceLetters[position.faces >> tile & 1][tile];
    text += ' ';
    text += char('0' + position.scores[Forest]);
    text += '-';
    text += char('0' + position.scores[Sea]);
    text += ' ';
    text += TribeLetters[position.active];
    return text;
}

std::optional<Position> read_position(std::string_view text) {
    const auto fields = split(text, ' ');
    if (fields.size() != 7) return std::nullopt;
    Position position;
    Tiles used = 0;
    const bool readable = read_shamans(fields[0], position) && read_megaliths(fields[1], position, used) &&
                          read_upcoming(fields[2], position, used) && read_deck(fields[3], position, used) &&
                          read_faces(fields[4], position) && read_scores(fields[5], position);
    if (!readable || (fields[6] != "F" && fields[6] != "S")) return std::nullopt;
    const bool slot_empty = position.upcoming[0] == NoTile || position.upcoming[1] == NoTile;
    if (slot_empty && !position.deck_is_empty()) return std::nullopt;
    position.active = fields[6] == "F" ? Forest : Sea;
    position.key = position.fresh_key();
    position.begin_turn();
    return position;
}

}  // namespace cairn
