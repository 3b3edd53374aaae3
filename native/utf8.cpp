#include "utf8.h"

namespace cairn {

namespace {

constexpr std::size_t MostCharactersShown = 40;
constexpr std::uint32_t Invalid = 0xfffd;

// The length of the sequence that a byte starts, and the smallest code that needs this length. The length is 0 if the
// byte cannot start a sequence.
struct Lead {
    std::size_t length;
    std::uint32_t bits, least;
};

constexpr Lead lead_of(unsigned char byte) {
    if (byte < 0x80) return {1, byte, 0};
    if (byte >= 0xc2 && byte < 0xe0) return {2, byte & 0x1fu, 0x80};
    if (byte >= 0xe0 && byte < 0xf0) return {3, byte & 0x0fu, 0x800};
    if (byte >= 0xf0 && byte < 0xf5) return {4, byte & 0x07u, 0x10000};
    return {0, 0, 0};
}

}  // namespace

Character first_character(std::string_view text) {
    const Lead lead = lead_of(static_cast<unsigned char>(text[0]));
    const Character invalid{Invalid, text.substr(0, 1)};
    if (lead.length == 0 || lead.length > text.size()) return invalid;
    std::uint32_t code = lead.bits;
    for (std::size_t index = 1; index < lead.length; ++index) {
        const auto byte = static_cast<unsigned char>(text[index]);
        if ((byte & 0xc0) != 0x80) return invalid;
        code = code << 6 | (byte & 0x3fu);
    }
    if (code < lead.least || code > 0x10ffff) return invalid;
    return {code, text.substr(0, lead.length)};
}

std::vector<Character> characters_of(std::string_view text) {
    std::vector<Character> characters;
    while (!text.empty()) {
        characters.push_back(first_character(text));
        text.remove_prefix(characters.back().bytes.size());
    }
    return characters;
}

std::size_t count_characters(std::string_view text) {
    std::size_t count = 0;
    for (; !text.empty(); ++count) text.remove_prefix(first_character(text).bytes.size());
    return count;
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const Character character = first_character(text.substr(at));
        const bool single_invalid = character.code == Invalid && character.bytes.size() == 1;
        if (single_invalid || (character.code >= 0xd800 && character.code <= 0xdfff)) return at;
        at += character.bytes.size();
    }
    return std::nullopt;
}

std::string shorten(std::string_view text) {
    std::size_t end = 0, cut = 0;
    for (std::size_t count = 0; end < text.size(); ++count) {
        if (count == MostCharactersShown - 3) cut = end;
        if (count == MostCharactersShown) return std::string(text.substr(0, cut)) + "...";
        end += first_character(text.substr(end)).bytes.size();
    }
    return std::string(text);
}

}  // namespace cairn
