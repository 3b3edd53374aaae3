// The functions of cairn.h.
#include <algorithm>
#include <new>
#include <string>

#include "../text.h"
#include "batch.h"
#include "cairn.h"

static_assert(CAIRN_ENCODING_VERSION == cairn::EncodingVersion);
static_assert(CAIRN_ACTIONS == cairn::token_id::Actions && CAIRN_TOKENS == cairn::token_id::Count);
static_assert(CAIRN_OBSERVATION == cairn::observed::Size);
static_assert(CAIRN_MASK_WORDS == cairn::Frame::MaskWords && CAIRN_LIST_LENGTH == cairn::Frame::ListLength);
static_assert(int(CAIRN_EXPERT) == int(cairn::Variant::Expert) && int(CAIRN_NOBODY) == int(cairn::Decider::None));
static_assert(int(CAIRN_DISABLED) == int(cairn::Autoreset::Disabled) && int(CAIRN_BIT_MASKS) == int(cairn::BitMasks));

struct cairn_batch {
    cairn::Batch batch;
};

namespace {

size_t copy_text(const std::string& from, char* text, size_t size) {
    if (size != 0) {
        const size_t length = std::min(from.size(), size - 1);
        std::copy_n(from.data(), length, text);
        text[length] = '\0';
    }
    return from.size();
}

template <typename Value>
const Value* data_of(const std::vector<Value>& values) {
    return values.empty() ? nullptr : values.data();
}

}  // namespace

extern "C" {

cairn_settings cairn_default_settings(void) {
    const cairn::BatchSettings defaults;
    cairn_settings settings{};
    settings.seed = defaults.seed;
    settings.games = defaults.games;
    settings.variant = CAIRN_STANDARD;
    settings.autoreset = CAIRN_NEXT_STEP;
    settings.outputs = defaults.outputs;
    settings.threads = defaults.threads;
    settings.longest_game = defaults.longest_game;
    settings.chooses_draws = defaults.chooses_draws;
    settings.is_strict = defaults.is_strict;
    settings.illegal_reward = defaults.illegal_reward;
    return settings;
}

cairn_batch* cairn_batch_create(const cairn_settings* given) {
    if (given->variant < CAIRN_BEGINNER || given->variant > CAIRN_EVERY_VARIANT) return nullptr;
    if (given->autoreset < CAIRN_NEXT_STEP || given->autoreset > CAIRN_DISABLED) return nullptr;
    cairn::BatchSettings settings;
    settings.seed = given->seed;
    settings.games = given->games;
    settings.variant.reset();
    if (given->variant != CAIRN_EVERY_VARIANT) settings.variant = cairn::Variant(given->variant);
    settings.autoreset = cairn::Autoreset(given->autoreset);
    settings.outputs = given->outputs;
    settings.threads = given->threads;
    settings.longest_game = given->longest_game;
    settings.chooses_draws = given->chooses_draws != 0;
    settings.is_strict = given->is_strict != 0;
    settings.illegal_reward = given->illegal_reward;
    if (!settings.fault().empty()) return nullptr;
    return new (std::nothrow) cairn_batch{cairn::Batch(settings)};
}

void cairn_batch_destroy(cairn_batch* batch) { delete batch; }

cairn_frame cairn_batch_frame(const cairn_batch* batch) {
    const cairn::Frame& from = batch->batch.frame();
    cairn_frame frame{};
    frame.observations = data_of(from.observations);
    frame.final_observations = data_of(from.final_observations);
    frame.masks = data_of(from.masks);
    frame.bits = data_of(from.bits);
    frame.legal = from.legal.data();
    frame.counts = from.counts.data();
    frame.choices = from.choices.data();
    frame.deciders = from.deciders.data();
    frame.rewards = from.rewards.data();
    frame.terminations = from.terminations.data();
    frame.truncations = from.truncations.data();
    frame.illegal = from.illegal.data();
    return frame;
}

void cairn_batch_reset(cairn_batch* batch, uint64_t seed) { batch->batch.reset(seed); }

void cairn_batch_reset_games(cairn_batch* batch, const uint8_t* chosen) { batch->batch.reset_games(chosen); }

int cairn_batch_place(cairn_batch* batch, int32_t game, const char* text) {
    if (game < 0 || game >= batch->batch.settings().games) return 0;
    const auto position = cairn::read_position(text);
    return position && batch->batch.place(game, *position) ? 1 : 0;
}

int32_t cairn_batch_step(cairn_batch* batch, const int32_t* ids) { return batch->batch.step(ids); }

void cairn_batch_step_random(cairn_batch* batch) { batch->batch.step_random(); }

size_t cairn_batch_position(const cairn_batch* batch, int32_t game, char* text, size_t size) {
    return copy_text(cairn::write_position(batch->batch.position(game)), text, size);
}

size_t cairn_batch_token(const cairn_batch* batch, int32_t game, int32_t id, char* text, size_t size) {
    const auto token = cairn::decode(batch->batch.position(game), id);
    return copy_text(token ? cairn::write_token(*token) : "", text, size);
}

}  // extern "C"
