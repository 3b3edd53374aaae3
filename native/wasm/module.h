// State shared by the functions of the module: the game, and the texts passed in and out.
//
// The caller, web/core/core.ts, writes a text argument to the memory at `input(size)` before the call. A function that
// answers leaves a JSON text at `output()` and returns its size. The next call overwrites the text.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

#include "../game.h"
#include "../json.h"

#define CAIRN_EXPORT(name) extern "C" __attribute__((export_name(#name), used))

namespace cairn::page {

inline std::string input_text, output_text;
inline std::optional<Game> game;
inline const std::atomic<bool> never_stop{false};  // a worker ends a search between two slices, or is terminated

// Starts a new answer, writes it, and returns its size.
template <typename Body>
int answer(Body body) {
    output_text.clear();
    Json json(output_text);
    body(json);
    return int(output_text.size());
}
inline int answer_null() {
    return answer([](Json& json) { json.null(); });
}

template <typename Tokens>
void write_tokens(Json& json, const Tokens& tokens) {
    json.array([&] {
        for (Token token : tokens) json.text(write_token(token));
    });
}

}  // namespace cairn::page
