// Splits UTF-8 text into characters. Texts come from people and files, so they can contain anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

struct Character {
    std::uint32_t code = 0;
    std::string_view bytes;
};

// Reads the first character. A byte that does not start a valid sequence counts as a character with code 0xfffd.
// Surrogates, which Python strings can contain, are read as separate characters.
Character first_character(std::string_view text);

std::vector<Character> characters_of(std::string_view text);
std::size_t count_characters(std::string_view text);

// The index of the first byte that is not valid UTF-8; nothing if the text is valid.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

// Whether a character is forbidden in headers and comments: control characters other than tab and line break, and
// surrogates.
constexpr bool is_unwritable(std::uint32_t code) {
    return code <= 0x08 || (code >= 0x0b && code <= 0x1f) || (code >= 0x7f && code <= 0x9f) ||
           (code >= 0xd800 && code <= 0xdfff);
}

// Shortens text to at most 40 characters for a message. Truncated text ends with "...".
std::string shorten(std::string_view text);

}  // namespace cairn
