// Writes JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn {

class Json {
  public:
    explicit Json(std::string& out) : out_(out) {}

    void text(std::string_view value) {
        separate();
        out_ += '"';
        for (char letter : value) {
            if (letter == '"' || letter == '\\') out_ += '\\';
            if (static_cast<unsigned char>(letter) >= 0x20)
                out_ += letter;
            else
                escape(letter);
        }
        out_ += '"';
    }
    void text_or_null(std::optional<std::string_view> value) { value ? text(*value) : null(); }
    void number(std::int64_t value) {
        separate();
        out_ += std::to_string(value);
    }
    void boolean(bool value) {
        separate();
        out_ += value ? "true" : "false";
    }
    void null() {
        separate();
        out_ += "null";
    }

    // The name of the next value in an object.
    void name(std::string_view name) {
        text(name);
        out_ += ':';
    }

    template <typename Body>
    void object(Body body) {
        enclose('{', '}', body);
    }
    template <typename Body>
    void array(Body body) {
        enclose('[', ']', body);
    }

  private:
    void separate() {
        if (!out_.empty() && out_.back() != '{' && out_.back() != '[' && out_.back() != ':') out_ += ',';
    }
    void escape(char letter) {
        constexpr std::string_view digits = "0123456789abcdef";
        out_ += "\\u00";
        out_ += digits[std::size_t(letter >> 4)];
        out_ += digits[std::size_t(letter & 15)];
    }
    template <typename Body>
    void enclose(char open, char close, Body body) {
        separate();
        out_ += open;
        body();
        out_ += close;
    }

    std::string& out_;
};

}  // namespace cairn
