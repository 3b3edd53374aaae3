#include "json.h"
#include "review.h"

namespace cairn {

namespace {

void write_token_texts(Json& json, std::string_view name, const std::vector<Token>& tokens) {
    json.name(name);
    json.array([&] {
        for (Token token : tokens) json.text(write_token(token));
    });
}

void write_numbers(Json& json, std::string_view name, const std::vector<Expectation>& values) {
    json.name(name);
    json.array([&] {
        for (Expectation value : values) json.number(value);
    });
}

void write_named_number(Json& json, std::string_view name, std::int64_t value) {
    json.name(name);
    json.number(value);
}

constexpr std::array<std::string_view, 6> ClaimNames{"wins",       "scores",  "banishes",
                                                     "extra-turn", "reaches", "activates"};

constexpr std::array<std::string_view, 3> ContrastNames{"never", "elsewhere", "later"};

void write_claim(Json& json, const std::optional<Claim>& claim) {
    json.name("claim");
    if (!claim) return json.null();
    json.object([&] {
        json.name("kind");
        json.text(ClaimNames[std::size_t(claim->kind)]);
        json.name("tribe");
        json.text(DeciderNames[claim->tribe]);
        json.name("missed");
        json.boolean(claim->missed);
        write_named_number(json, "turns", claim->turns);
        json.name("event");
        write_effect(json, claim->event);
        json.name("cause");
        if (claim->cause)
            write_effect(json, *claim->cause);
        else
            json.null();
        json.name("contrast");
        json.text(ContrastNames[std::size_t(claim->contrast)]);
    });
}

void write_step(Json& json, const ReviewedStep& step) {
    json.object([&] {
        json.name("token");
        json.text(write_token(step.token));
        write_named_number(json, "turn", step.turn);
        json.name("decider");
        json.text(DeciderNames[std::size_t(step.decider)]);
        write_named_number(json, "choices", step.choices);
        write_named_number(json, "search", step.search);
        write_named_number(json, "loss", step.loss);
        json.name("mark");
        json.text_or_null(step.mark() == Mark::None ? std::nullopt
                                                    : std::optional(MarkNames[std::size_t(step.mark())]));
        write_token_texts(json, "better", step.better);
        write_token_texts(json, "refutation", step.refutation);
        write_claim(json, step.claim);
        write_named_number(json, "luck", step.luck);
        write_token_texts(json, "tiles", step.tiles);
        write_numbers(json, "tile_values", step.tile_values);
    });
}

void write_player(Json& json, const ReviewedPlayer& player) {
    json.object([&] {
        write_named_number(json, "decisions", player.decisions);
        write_named_number(json, "total_loss", player.total_loss);
        write_named_number(json, "mean_loss", player.mean_loss);
        write_named_number(json, "accuracy", player.accuracy);
        write_named_number(json, "level_by_loss", player.level_by_loss);
        write_named_number(json, "level_by_accuracy", player.level_by_accuracy);
        for (Mark mark : {Mark::Inaccuracy, Mark::Mistake, Mark::Blunder})
            write_named_number(json, MarkNames[std::size_t(mark)], player.marks[std::size_t(mark)]);
    });
}

}  // namespace

std::string write_review(const Review& review) {
    std::string text;
    Json json(text);
    json.object([&] {
        json.name("result");
        review.result ? json.number(*review.result) : json.null();
        json.name("adjusted_result");
        review.result ? json.number(review.adjusted_result()) : json.null();
        write_named_number(json, "luck", review.luck);
        write_named_number(json, "search", review.search);
        write_named_number(json, "ending", review.ending);
        write_numbers(json, "values", review.values);
        json.name("forest");
        write_player(json, review.players[Forest]);
        json.name("sea");
        write_player(json, review.players[Sea]);
        json.name("turning_points");
        json.array([&] {
            for (std::size_t index : review.turning_points) json.number(std::int64_t(index));
        });
        json.name("steps");
        json.array([&] {
            for (const ReviewedStep& step : review.steps) write_step(json, step);
        });
    });
    return text;
}

std::string write_retry(const Retry& retry) {
    std::string text;
    Json json(text);
    json.object([&] {
        write_named_number(json, "value", retry.value);
        write_named_number(json, "loss", retry.loss);
        json.name("good");
        json.boolean(retry.is_good());
        write_token_texts(json, "reply", retry.reply);
    });
    return text;
}

}  // namespace cairn
