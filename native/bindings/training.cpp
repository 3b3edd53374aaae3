#include "training.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <span>
#include <vector>

#include "../text.h"
#include "../training/facts.h"
#include "../training/samples.h"
#include "../training/selfplay_file.h"
#include "tokens.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace cairn {

namespace {

std::span<const std::uint8_t> span_of(const nb::bytes& bytes) {
    return {static_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

template <typename Row>
nb::bytes bytes_of(const std::vector<Row>& rows) {
    return nb::bytes(rows.data(), rows.size() * sizeof(Row));
}

void make_network(Network* self, const nb::bytes& bytes) {
    new (self) Network;
    if (!read_network(span_of(bytes), *self)) throw nb::value_error("not a file of network weights");
}

std::uint64_t self_play(const std::string& path, std::uint64_t games, std::uint32_t nodes, std::uint64_t seed,
                        std::uint32_t shard, const Network* network, nb::handle report, bool even) {
    const training::Style style = even ? training::Style::Even : training::Style::Varied;
    const training::FileHeader header{seed, network ? network->hash : 0, nodes, shard, style};
    std::atomic<bool> stop{false};
    const auto tell = [&](std::uint64_t now) {
        nb::gil_scoped_acquire acquire;
        if (!nb::cast<bool>(report(now))) stop = true;
    };
    nb::gil_scoped_release release;
    return training::extend_file(path, header, network, games, stop, tell);
}

nb::bytes training_samples(const nb::bytes& file) {
    std::vector<training::Sample> samples;
    {
        const auto bytes = span_of(file);
        nb::gil_scoped_release release;
        training::for_each_turn(bytes, [&](const Position& position, std::int16_t score, int result) {
            samples.push_back(training::sample_of(position, score, result));
        });
    }
    return bytes_of(samples);
}

// Returns the header of a file as (seed, network hash, nodes, shard, style).
nb::tuple self_play_header(const nb::bytes& file) {
    const auto header = training::read_header(span_of(file));
    if (!header) throw nb::value_error("not a file of self-play games");
    const auto style = training::StyleNames[std::size_t(header->style) - 1];
    return nb::make_tuple(header->seed, header->network, header->nodes, header->shard, std::string(style));
}

// Returns the games of a file as (variant number, start, tokens, winner number, scores).
nb::list self_play_games(const nb::bytes& file) {
    const auto bytes = span_of(file);
    if (!training::read_header(bytes)) throw nb::value_error("not a file of self-play games");
    nb::list games;
    training::GameReader reader(bytes.subspan(training::FileHeader::Size));
    training::SelfPlayGame game;
    while (reader.next(game)) {
        nb::list tokens, scores;
        for (const training::PlayedToken& played : game.tokens) {
            tokens.append(TokenObjects::of(played.token));
            scores.append(played.score ? nb::int_(int(*played.score)) : nb::object(nb::none()));
        }
        games.append(nb::make_tuple(int(game.variant), write_position(game.start()), tokens, int(game.winner), scores));
    }
    return games;
}

nb::tuple game_facts(const nb::bytes& file, const Network* network, std::uint64_t nodes) {
    training::FileFacts facts;
    {
        const auto bytes = span_of(file);
        nb::gil_scoped_release release;
        facts = training::facts_of(bytes, network, nodes);
    }
    return nb::make_tuple(bytes_of(facts.games), bytes_of(facts.builds));
}

template <std::size_t Size>
std::vector<int> numbers(const std::array<std::uint16_t, Size>& table) {
    return {table.begin(), table.end()};
}

}  // namespace

void define_training(nb::module_& module) {
    nb::class_<Network>(module, "Network")
        .def("__init__", &make_network, "weights"_a)
        .def_prop_ro("hash", [](const Network& network) { return network.hash; });
    module.def("network_layout", [] {
        std::vector<int> limits;
        for (int index = 0; index < input::Count; ++index) limits.push_back(Network::input_weight_limit(index));
        return nb::make_tuple(Network::Width, input::MostActive, numbers(input::OtherView), numbers(input::Mirrored),
                              limits, Network::BiasLimit);
    });
    module.def("self_play", &self_play, "path"_a, "games"_a, "nodes"_a, "seed"_a, "shard"_a, "network"_a.none(),
               "report"_a, "even"_a = false);
    module.def("self_play_header", &self_play_header, "games"_a);
    module.def("game_facts", &game_facts, "games"_a, "network"_a.none(), "nodes"_a);
    module.def("self_play_games", &self_play_games, "games"_a);
    module.def("training_samples", &training_samples, "games"_a);
}

}  // namespace cairn
