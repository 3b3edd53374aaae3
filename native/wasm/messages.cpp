#include "messages.h"

#include "../text.h"

namespace cairn::page {

std::optional<std::string_view> code_of(Tile tile) {
    return tile == NoTile ? std::nullopt : std::optional(TileCodes[tile]);
}

std::optional<std::string_view> winner_name(Winner winner) {
    return winner == Winner::Nobody ? std::nullopt : std::optional(WinnerNames[std::size_t(winner)]);
}

void write_outcome_fields(Json& json, Outcome outcome) {
    json.name("winner");
    json.text_or_null(winner_name(outcome.winner));
    json.name("reason");
    json.text(ReasonNames[std::size_t(outcome.reason)]);
}

void write_choice(Json& json, Choice choice) {
    json.object([&] {
        json.name("token");
        json.text(write_token(choice.token()));
        json.name("tile");
        if (choice.tile() == ActionTile::None)
            json.null();
        else
            json.text(ActionTileNames[std::size_t(choice.tile())]);
        json.name("paths");
        json.array([&] {
            for (const Path& path : choice.paths())
                json.array([&] {
                    for (Pick pick : path) json.text(write_pick(pick));
                });
        });
        json.name("power");
        json.text_or_null(code_of(choice.power()));
        json.name("aim");
        json.text(choice.aims_at_megalith() ? "megalith" : "shaman");
    });
}

void write_consequence(Json& json, const Consequence& consequence) {
    json.object([&] {
        json.name("token");
        json.text(write_token(consequence.token));
        json.name("effects");
        json.array([&] {
            for (Effect effect : consequence.effects) write_effect(json, effect);
        });
        json.name("scorer");
        json.text_or_null(consequence.scorer ? std::optional(DeciderNames[*consequence.scorer]) : std::nullopt);
        json.name("next");
        json.array([&] {
            for (Pick pick : consequence.next) json.text(write_pick(pick));
        });
        json.name("lines");
        json.array([&] {
            for (const auto& line : consequence.lines)
                json.array([&] {
                    for (Space space : line) json.text(write_space(space));
                });
        });
        json.name("transformations");
        json.array([&] {
            for (const Opportunity& opportunity : consequence.transformations)
                json.object([&] {
                    json.name("space");
                    json.text(write_space(opportunity.enemy));
                    json.name("scores");
                    json.boolean(opportunity.scores);
                    json.name("wins");
                    json.boolean(opportunity.wins);
                });
        });
        json.name("ignored");
        json.boolean(consequence.ignored);
    });
}

void write_fault(Json& json, const Fault& fault) {
    json.object([&] {
        json.name("kind");
        json.text(fault.kind);
        json.name("field");
        json.text(fault.field);
        json.name("details");
        json.object([&] {
            for (const auto& [name, value] : fault.details) {
                json.name(name);
                json.text(value);
            }
        });
    });
}

void write_faults(Json& json, const std::vector<Fault>& faults) {
    json.array([&] {
        for (const Fault& fault : faults) write_fault(json, fault);
    });
}

int answer_faults(const std::vector<Fault>& faults) {
    return answer([&](Json& json) {
        json.object([&] {
            json.name("faults");
            write_faults(json, faults);
        });
    });
}

}  // namespace cairn::page
