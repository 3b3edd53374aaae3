#include "training.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <span>
#include <vector>

#include "../training/samples.h"
#include "../training/selfplay_file.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace cairn {

namespace {

std::span<const std::uint8_t> span_of(const nb::bytes& bytes) {
    return {static_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

void make_network(Network* self, const nb::bytes& bytes) {
    new (self) Network;
    if (!read_network(span_of(bytes), *self)) throw nb::value_error("not a file of network weights");
}

std::uint64_t self_play(const std::string& path, std::uint64_t games, std::uint32_t nodes, std::uint64_t seed,
                        std::uint32_t shard, const Network* network, nb::handle report) {
    const training::FileHeader header{seed, network ? network->hash : 0, nodes, shard};
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
    return nb::bytes(samples.data(), samples.size() * sizeof(training::Sample));
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
        return nb::make_tuple(Network::Width, input::MostActive, numbers(input::OtherView), numbers(input::Mirrored));
    });
    module.def("self_play", &self_play, "path"_a, "games"_a, "nodes"_a, "seed"_a, "shard"_a, "network"_a.none(),
               "report"_a);
    module.def("training_samples", &training_samples, "games"_a);
}

}  // namespace cairn
