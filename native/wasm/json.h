// Writes JSON. Texts are written as they are: everything that the core says is ASCII without quotes or backslashes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn {

class Json {
  public:
    explicit Json(std::string& out) : out_(out) {}

    void text(std::string_view value) {
        separate();
        out_ += '"';
        out_ += value;
        out_ += '"';
    }
    void number(std::int64_t value) {
        separate();
        out_ += std::to_string(value);
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
