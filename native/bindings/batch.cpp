#include "../batch/batch.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <string>

#include "../text.h"
#include "batch.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace cairn {

namespace {

using Ids = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void make_batch(Batch* self, int games, std::uint64_t seed, int variant, int autoreset, int outputs, int threads,
                int longest_game, bool chooses_draws, bool is_strict, float illegal_reward) {
    BatchSettings settings;
    settings.games = games;
    settings.seed = seed;
    settings.variant.reset();
    if (variant < int(VariantNames.size())) settings.variant = Variant(variant);
    settings.autoreset = Autoreset(autoreset);
    settings.outputs = outputs;
    settings.threads = threads;
    settings.longest_game = longest_game;
    settings.chooses_draws = chooses_draws;
    settings.is_strict = is_strict;
    settings.illegal_reward = illegal_reward;
    const std::string_view fault = settings.fault();
    if (!fault.empty()) throw nb::value_error((std::string(fault) + " is out of range").c_str());
    nb::gil_scoped_release release;
    new (self) Batch(settings);
}

// A read-only view of an array of the frame. It supports DLPack and the buffer protocol, and keeps the batch alive.
template <typename Value>
nb::object frame_array(nb::handle batch, const std::vector<Value>& values, std::size_t games, std::size_t length) {
    if (values.empty()) return nb::none();
    using Array = nb::ndarray<nb::array_api, const Value>;
    if (length == 0) return nb::cast(Array(values.data(), {games}, batch));
    return nb::cast(Array(values.data(), {games, length}, batch));
}

nb::tuple frame_arrays(nb::handle self, int number) {
    const Batch& batch = nb::cast<const Batch&>(self);
    if (number < 0 || number > 1) throw nb::index_error("a batch has the frames 0 and 1");
    const Frame& frame = batch.frame(number);
    const auto games = std::size_t(batch.settings().games);
    const auto row = [&](const auto& values, int length) {
        return frame_array(self, values, games, std::size_t(length));
    };
    return nb::make_tuple(row(frame.observations, observed::Size), row(frame.final_observations, observed::Size),
                          row(frame.masks, token_id::Count), row(frame.bits, Frame::MaskWords),
                          row(frame.legal, Frame::ListLength), row(frame.counts, 0), row(frame.choices, 0),
                          row(frame.deciders, 0), row(frame.rewards, 2), row(frame.terminations, 0),
                          row(frame.truncations, 0), row(frame.illegal, 0));
}

void require_row_each(const Batch& batch, std::size_t size) {
    if (size != std::size_t(batch.settings().games)) throw nb::value_error("expected one entry for each game");
}

int require_game(const Batch& batch, int game) {
    if (game < 0 || game >= batch.settings().games) throw nb::index_error("no such game in this batch");
    return game;
}

int step_batch(Batch& batch, const Ids& ids) {
    require_row_each(batch, ids.size());
    nb::gil_scoped_release release;
    return batch.step(ids.data());
}

void reset_games(Batch& batch, const Flags& chosen) {
    require_row_each(batch, chosen.size());
    nb::gil_scoped_release release;
    batch.reset_games(chosen.data());
}

bool place_game(Batch& batch, int game, std::string_view text) {
    const auto position = read_position(text);
    if (!position) throw nb::value_error("not a valid position");
    return batch.place(require_game(batch, game), *position);
}

}  // namespace

void define_batch(nb::module_& module) {
    nb::class_<Batch>(module, "Batch")
        .def("__init__", &make_batch, "games"_a, "seed"_a, "variant"_a, "autoreset"_a, "outputs"_a, "threads"_a,
             "longest_game"_a, "chooses_draws"_a, "is_strict"_a, "illegal_reward"_a)
        .def(
            "frame", [](nb::handle_t<Batch> self, int number) { return frame_arrays(self, number); }, "number"_a)
        .def_prop_ro("front", &Batch::front)
        .def("reset", &Batch::reset, "seed"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("reset_games", &reset_games, "chosen"_a)
        .def("place", &place_game, "game"_a, "text"_a)
        .def("step", &step_batch, "ids"_a)
        .def("step_random", &Batch::step_random, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "position",
            [](const Batch& batch, int game) { return write_position(batch.position(require_game(batch, game))); },
            "game"_a)
        .def(
            "key", [](const Batch& batch, int game) { return batch.position(require_game(batch, game)).moment_key(); },
            "game"_a)
        .def(
            "token",
            [](const Batch& batch, int game, int id) {
                const auto token = decode(batch.position(require_game(batch, game)), id);
                return token ? write_token(*token) : std::string();
            },
            "game"_a, "number"_a)
        .def("tokens", [](const Batch& batch, int game) { return batch.tokens(require_game(batch, game)); }, "game"_a);
}

}  // namespace cairn
