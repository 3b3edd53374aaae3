#include "token.h"

#include <algorithm>

#include "text.h"

namespace cairn {

namespace {

constexpr std::array<std::string_view, 3> FlipNames{"flip-add", "flip-move", "flip-jump"};

std::string code_of(Tile tile) { return std::string(TileCodes[tile]); }

// A rank that sorts like the first characters of the text. The arguments break ties.
constexpr int lead(Token token) {
    switch (token.kind()) {
        case Kind::Travel: return token.origin() == Nowhere ? 0 : 4;  // "+" sorts before every letter
        case Kind::Build: return 1;
        case Kind::Draw: return 2;
        case Kind::Transform: return 3;
        case Kind::Push:
        case Kind::Swap:
        case Kind::Put: return 4;
        case Kind::Flip: return 5;
        case Kind::Pass: return 6;
        case Kind::Stop: return 7;
        case Kind::Use: return 8;
        case Kind::Banish: return 9;
    }
    return 0;
}

// The order of spaces in texts; Nowhere, as in "a5-out", is last.
constexpr auto ByColumn = [] {
    std::array<std::uint8_t, 32> ranks{};
    for (Space space = 0; space < SpaceLimit; ++space)
        ranks[space] = std::uint8_t(column_of(space) * Rows + row_of(space));
    ranks[Nowhere] = Rows * Columns;
    return ranks;
}();

constexpr auto CodeRanks = [] {
    std::array<int, 32> ranks{};
    for (std::size_t tile = 0; tile < TileLimit; ++tile)
        for (std::size_t other = 0; other < TileLimit; ++other) ranks[tile] += TileCodes[other] < TileCodes[tile];
    return ranks;
}();

constexpr std::int32_t text_rank(Token token) {
    int first = 0, second = 0;
    switch (token.kind()) {
        case Kind::Travel:
            first = token.origin() == Nowhere ? ByColumn[token.target()] : ByColumn[token.origin()];
            second = token.origin() == Nowhere ? 0 : ByColumn[token.target()];
            break;
        case Kind::Push:
        case Kind::Swap:
            first = ByColumn[token.origin()];
            second = ByColumn[token.target()];
            break;
        case Kind::Put:
            first = ByColumn[token.space()];
            second = CodeRanks[token.put_tile()];
            break;
        case Kind::Banish:
        case Kind::Transform: first = ByColumn[token.space()]; break;
        case Kind::Build:
        case Kind::Draw: first = CodeRanks[token.tile()]; break;
        case Kind::Flip: first = token.space() == 0 ? 0 : 3 - token.space(); break;  // in text order: add, jump, move
        case Kind::Use:
        case Kind::Stop:
        case Kind::Pass: break;
    }
    // Like the T of a transformation, the code of a copied tile sorts after "+", "=" and "?" and before every
    // lower-case letter.
    const int head = token.is_copy() ? 3 : lead(token);
    const int prefix = token.is_copy() ? CodeRanks[token.copied()] + 1 : 0;
    return std::int32_t(head << 20 | prefix << 15 | lead(token) << 11 | first << 5 | second);
}

std::optional<Token> read_uncopied(std::string_view text) {
    if (text == "stop") return Token(Kind::Stop);
    if (text == "pass") return Token(Kind::Pass);
    for (int tile = 0; tile < 3; ++tile)
        if (text == FlipNames[std::size_t(tile)]) return Token(Kind::Flip, tile);

    if (text.size() == 3) {
        const Space space = read_space(text.substr(1));
        const Tile tile = tile_of(text.substr(1));
        if (text[0] == '+' && space != Nowhere) return Token(Kind::Travel, Nowhere, space);
        if (text[0] == 'x' && space != Nowhere) return Token(Kind::Banish, space);
        if (text[0] == 'T' && space != Nowhere) return Token(Kind::Transform, space);
        if (text[0] == '=' && tile != NoTile) return Token(Kind::Build, tile);
        if (text[0] == '?' && tile != NoTile) return Token(Kind::Draw, tile);
        return std::nullopt;
    }
    if (text.size() < 5) return std::nullopt;
    const Space first = read_space(text.substr(0, 2));
    if (first == Nowhere) return std::nullopt;
    const char sign = text[2];
    const std::string_view rest = text.substr(3);
    if (sign == '-' && rest == "out") return Token(Kind::Travel, first, Nowhere);
    if (sign == '=' && tile_of(rest) != NoTile) return Token(Kind::Put, first, tile_of(rest));
    const Space second = read_space(rest);
    if (second == Nowhere) return std::nullopt;
    if (sign == '-') return Token(Kind::Travel, first, second);
    if (sign == '~') return Token(Kind::Push, first, second);
    if (sign == '/') return Token(Kind::Swap, first, second);
    return std::nullopt;
}

bool is_power_choice(Token token) {
    return token.kind() == Kind::Travel || token.kind() == Kind::Banish || token.kind() == Kind::Push ||
           token.kind() == Kind::Swap || token.kind() == Kind::Put || token.kind() == Kind::Flip;
}

}  // namespace

std::string write_token(Token token) {
    if (token.is_copy()) return code_of(token.copied()) + ":" + write_token(token.without_copy());
    const auto origin = [&] { return write_space(token.origin()); };
    const auto target = [&] { return write_space(token.target()); };
    switch (token.kind()) {
        case Kind::Travel:
            if (token.origin() == Nowhere) return "+" + target();
            return origin() + "-" + (token.target() == Nowhere ? "out" : target());
        case Kind::Banish: return "x" + origin();
        case Kind::Push: return origin() + "~" + target();
        case Kind::Swap: return origin() + "/" + target();
        case Kind::Put: return origin() + "=" + code_of(token.put_tile());
        case Kind::Flip: return std::string(FlipNames[token.space()]);
        case Kind::Use: return "use";
        case Kind::Stop: return "stop";
        case Kind::Build: return "=" + code_of(token.tile());
        case Kind::Draw: return "?" + code_of(token.tile());
        case Kind::Transform: return "T" + origin();
        case Kind::Pass: return "pass";
    }
    return "";
}

std::optional<Token> read_token(std::string_view text) {
    if (text.size() < 3 || text[2] != ':') return read_uncopied(text);
    const Tile copied = tile_of(text.substr(0, 2));
    if (copied == NoTile) return std::nullopt;
    if (text.substr(3) == "use") return Token(Kind::Use).as_copy_of(copied);
    const auto choice = read_uncopied(text.substr(3));
    if (!choice || !is_power_choice(*choice)) return std::nullopt;
    return choice->as_copy_of(copied);
}

// Counts for each token how many others sort before it. The lists are short, and unlike std::sort, this has no
// unpredictable branches. The legal tokens of a moment all have different ranks.
void sort_by_text(TokenList& tokens) {
    std::array<Token, TokenList::Capacity> unsorted;
    std::array<std::int32_t, TokenList::Capacity> ranks;
    std::copy(tokens.begin(), tokens.end(), unsorted.begin());
    std::transform(tokens.begin(), tokens.end(), ranks.begin(), text_rank);
    for (int index = 0; index < tokens.size(); ++index) {
        const std::int32_t rank = ranks[std::size_t(index)];
        int place = 0;
        for (int other = 0; other < tokens.size(); ++other) place += ranks[std::size_t(other)] < rank;
        tokens[place] = unsorted[std::size_t(index)];
    }
}

}  // namespace cairn
