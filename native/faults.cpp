#include "faults.h"

#include <algorithm>
#include <array>
#include <optional>

#include "text.h"
#include "utf8.h"

namespace cairn {

namespace {

constexpr std::size_t LongestPosition = 300;  // in characters; valid positions are shorter
constexpr std::array<std::string_view, 8> Fields{"shamans", "megaliths", "upcoming", "deck",
                                                 "faces",   "scores",    "active",   "tiles"};
enum FieldNumber { Shamans, Megaliths, Upcoming, Deck, Faces, Scores, Active, WholePosition };

constexpr std::array<std::string_view, 2> TribeNames{"forest", "sea"};

using Characters = std::vector<Character>;

std::string joined(const Characters& characters, std::size_t first, std::size_t count) {
    std::string text;
    for (std::size_t index = first; index < first + count; ++index) text += characters[index].bytes;
    return text;
}

// Reads the seven fields. An unreadable field gets one fault and is treated as empty. Faults that are only consequences
// of that are not reported.
class PositionChecker {
  public:
    std::vector<Fault> check(std::string_view text, Check check) {
        const std::size_t length = count_characters(text);
        if (length > LongestPosition) return {{"field-count", "fields", {{"length", std::to_string(length)}}}};
        const auto fields = split(text, ' ');
        const auto empty = std::count(fields.begin(), fields.end(), std::string_view());
        if (fields.size() != 7 || empty != 0) {
            const auto found = std::ptrdiff_t(fields.size()) - empty;
            return {{"field-count",
                     "fields",
                     {{"found", std::to_string(found)}, {"empty", std::to_string(found != 0 ? empty : 0)}}}};
        }
        shamans(fields[Shamans]);
        megaliths(fields[Megaliths]);
        upcoming(fields[Upcoming]);
        deck(fields[Deck]);
        faces(fields[Faces]);
        scores(fields[Scores]);
        if (fields[Active] != "F" && fields[Active] != "S") unreadable(Active, "active", what(fields[Active]));
        if (check == Check::Validity) whole_position();

        const auto place = [](const Fault& fault) { return std::find(Fields.begin(), Fields.end(), fault.field); };
        std::stable_sort(faults_.begin(), faults_.end(),
                         [&](const Fault& one, const Fault& other) { return place(one) < place(other); });
        return std::move(faults_);
    }

  private:
    static Details what(std::string_view text) { return {{"what", std::string(text)}}; }

    void add(FieldNumber field, std::string_view kind, Details details = {}) {
        faults_.push_back({kind, std::string(Fields[field]), std::move(details)});
    }
    void unreadable(FieldNumber field, std::string_view kind, Details details = {}) {
        add(field, kind, std::move(details));
        unreadable_[field] = true;
    }

    void shamans(std::string_view text) {
        const auto rows = split(text, '/');
        if (rows.size() != Rows) return unreadable(Shamans, "row-count", {{"found", std::to_string(rows.size())}});
        for (std::size_t index = 0; index < Rows; ++index)
            if (!row(rows[index], std::to_string(Rows - index))) return;
    }

    bool row(std::string_view text, const std::string& number) {
        const Characters letters = characters_of(text);
        const auto is_digit = [](Character letter) { return letter.code >= '1' && letter.code <= '5'; };
        const auto bad = std::find_if(letters.begin(), letters.end(), [&](Character letter) {
            return !is_digit(letter) && letter.code != 'F' && letter.code != 'S';
        });
        if (bad != letters.end()) {
            unreadable(Shamans, "bad-letter", {{"what", std::string(bad->bytes)}, {"row", number}});
            return false;
        }
        std::size_t spaces = 0;
        for (std::size_t index = 0; index < letters.size(); ++index) {
            if (index > 0 && is_digit(letters[index]) && is_digit(letters[index - 1])) {
                unreadable(Shamans, "two-digits", {{"row", number}});
                return false;
            }
            spaces += is_digit(letters[index]) ? letters[index].code - '0' : 1;
        }
        if (spaces != Columns) {
            unreadable(Shamans, "row-length", {{"row", number}, {"found", std::to_string(spaces)}});
            return false;
        }
        for (Character letter : letters)
            if (!is_digit(letter)) ++shaman_counts_[letter.code == 'F' ? Forest : Sea];
        return true;
    }

    // Returns the tile with this code. If there is none, reports a fault in the field.
    std::optional<Tile> tile(FieldNumber field, std::string_view code) {
        const Tile tile = tile_of(code);
        if (tile != NoTile) return tile;
        unreadable(field, "unknown-code", what(code));
        return std::nullopt;
    }

    void megaliths(std::string_view text) {
        if (text == "-") return;
        std::vector<Tile> tiles;
        Spaces used = 0;
        Space last = 0;
        for (std::string_view entry : split(text, ',')) {
            const Characters letters = characters_of(entry);
            const auto is_break = [](Character letter) { return letter.code == '\n'; };
            const bool well_formed = letters.size() == 4 && read_space(entry.substr(0, 2)) != Nowhere &&
                                     std::none_of(letters.begin(), letters.end(), is_break);
            if (!well_formed) return unreadable(Megaliths, "bad-entry", what(entry));
            const Space space = read_space(entry.substr(0, 2));
            if ((used & bit(space)) != 0) return unreadable(Megaliths, "space-twice", {{"space", write_space(space)}});
            if (space < last) return unreadable(Megaliths, "order", {{"space", write_space(space)}});
            const auto found = tile(Megaliths, entry.substr(2));
            if (!found) return;
            tiles.push_back(*found);
            used |= bit(space);
            last = space;
        }
        use(tiles);
    }

    void upcoming(std::string_view text) {
        const Characters letters = characters_of(text);
        if (letters.size() != 4) return unreadable(Upcoming, "slots", what(text));
        std::vector<Tile> tiles;
        for (std::size_t slot : {0u, 1u}) {
            const std::string code = joined(letters, 2 * slot, 2);
            if (code == "--") continue;
            const auto found = tile(Upcoming, code);
            if (!found) return;
            tiles.push_back(*found);
        }
        slot_empty_ = tiles.size() < 2;
        use(tiles);
    }

    std::optional<std::vector<Tile>> tiles_of(std::string_view text) {
        const Characters letters = characters_of(text);
        if (letters.size() % 2 != 0) {
            unreadable(Deck, "odd-length", what(text));
            return std::nullopt;
        }
        std::vector<Tile> tiles;
        for (std::size_t index = 0; index < letters.size(); index += 2) {
            const auto found = tile(Deck, joined(letters, index, 2));
            if (!found) return std::nullopt;
            tiles.push_back(*found);
        }
        return tiles;
    }

    void deck(std::string_view text) {
        if (text == "-") return;
        std::string_view inside, rest = text;
        const bool in_parentheses = text[0] == '(';
        if (in_parentheses) {
            const std::size_t close = text.find(')');
            if (close == std::string_view::npos) return unreadable(Deck, "parentheses");
            inside = text.substr(1, close - 1);
            rest = text.substr(close + 1);
        }
        if ((std::string(inside) + std::string(rest)).find_first_of("()") != std::string::npos)
            return unreadable(Deck, "parentheses");
        const auto known = tiles_of(rest);
        if (!known) return;
        std::vector<Tile> unknown;
        if (in_parentheses) {
            const auto read = tiles_of(inside);
            if (!read) return;
            unknown = *read;
            if (unknown.size() < 2) return unreadable(Deck, "single-unknown");
            const auto by_code = [](Tile one, Tile other) { return TileCodes[one] < TileCodes[other]; };
            if (!std::is_sorted(unknown.begin(), unknown.end(), by_code)) return unreadable(Deck, "order");
            const auto twice = std::adjacent_find(unknown.begin(), unknown.end());
            if (twice != unknown.end()) {
                add(WholePosition, "tile-twice", tile_twice(*twice, std::count(twice, unknown.end(), *twice)));
                unreadable_[Deck] = true;
                return;
            }
        }
        deck_empty_ = unknown.empty() && known->empty();
        use(unknown);
        use(*known);
    }

    void faces(std::string_view text) {
        bool well_formed = text.size() == 4;
        for (std::size_t tile = 0; well_formed && tile < 4; ++tile)
            well_formed = text[tile] == FaceLetters[0][tile] || text[tile] == FaceLetters[1][tile];
        if (!well_formed) unreadable(Faces, "faces", what(text));
    }

    void scores(std::string_view text) {
        const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
        if (text.size() != 3 || !is_digit(text[0]) || text[1] != '-' || !is_digit(text[2]))
            return unreadable(Scores, "scores", what(text));
        scores_ = {text[0] - '0', text[2] - '0'};
    }

    void whole_position() {
        for (Tribe tribe : {Forest, Sea}) {
            const std::string name(TribeNames[tribe]);
            if (!unreadable_[Shamans] && shaman_counts_[tribe] > ShamansPerTribe)
                add(Shamans, "too-many-shamans", {{"tribe", name}, {"count", std::to_string(shaman_counts_[tribe])}});
            if (!unreadable_[Scores] && scores_[tribe] >= PointsToWin)
                add(Scores, "bad-score", {{"tribe", name}, {"score", std::to_string(scores_[tribe])}});
        }
        if (!unreadable_[Upcoming] && !unreadable_[Deck] && slot_empty_ && !deck_empty_) add(Upcoming, "empty-slot");
        for (auto tile = tiles_.begin(); tile != tiles_.end(); ++tile) {
            const auto count = std::count(tiles_.begin(), tiles_.end(), *tile);
            if (count > 1 && std::find(tiles_.begin(), tile, *tile) == tile)
                add(WholePosition, "tile-twice", tile_twice(*tile, count));
        }
    }

    static Details tile_twice(Tile tile, std::ptrdiff_t count) {
        return {{"megalith", std::string(TileCodes[tile])}, {"count", std::to_string(count)}};
    }

    void use(const std::vector<Tile>& tiles) { tiles_.insert(tiles_.end(), tiles.begin(), tiles.end()); }

    std::vector<Fault> faults_;
    std::array<bool, 8> unreadable_{};
    std::array<int, 2> shaman_counts_{}, scores_{};
    std::vector<Tile> tiles_;  // from all readable fields
    bool slot_empty_ = false, deck_empty_ = true;
};

}  // namespace

std::vector<Fault> position_faults(std::string_view text, Check check) { return PositionChecker().check(text, check); }

}  // namespace cairn
