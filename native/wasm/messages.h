// Writes the parts shared by several of the module's answers, and reads the texts in the input.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "../choices.h"
#include "../consequences.h"
#include "../faults.h"
#include "../game.h"
#include "../story.h"
#include "module.h"

namespace cairn::page {

std::optional<std::string_view> code_of(Tile tile);
std::optional<std::string_view> winner_name(Winner winner);
void write_outcome_fields(Json& json, Outcome outcome);
void write_choice(Json& json, Choice choice);
void write_consequence(Json& json, const Consequence& consequence);
void write_faults(Json& json, const std::vector<Fault>& faults);
int answer_faults(const std::vector<Fault>& faults);

// Length-prefixed texts, as web/core/core.ts writes them into the input.
class Texts {
  public:
    explicit Texts(std::string_view bytes) : bytes_(bytes) {}

    bool at_end() const { return bytes_.size() < 4; }
    std::string_view next() {
        if (at_end()) return {};
        std::size_t size = 0;
        for (std::size_t place : {3u, 2u, 1u, 0u}) size = size << 8 | static_cast<unsigned char>(bytes_[place]);
        const std::string_view text = bytes_.substr(4, size);
        bytes_.remove_prefix(std::min(bytes_.size(), 4 + size));
        return text;
    }
    int next_number() {
        int number = 0;
        for (char digit : next()) number = number * 10 + (digit - '0');
        return number;
    }

  private:
    std::string_view bytes_;
};

}  // namespace cairn::page
