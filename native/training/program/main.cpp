// The self-play program: plays games into a file, without Python. `--help` lists the options.
#include <charconv>
#include <csignal>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "../selfplay_file.h"

namespace {

using namespace cairn;
using namespace cairn::training;

constexpr std::string_view Help =
    "usage: cairn_selfplay FILE [--games N] [--nodes N] [--seed N] [--shard N] [--network FILE] [--style STYLE]\n"
    "\n"
    "Plays games against itself until FILE holds N of them (default 1000), with N nodes for each decision (1000).\n"
    "Programs with different shards (0) play different games from the same seed (1). An existing FILE is continued.\n"
    "Without a network, the search uses the hand-made evaluation. The style is varied (the default: some tokens are\n"
    "random, for training) or even (no token is random; the nodes of a decision vary by up to a quarter).\n";

std::atomic<bool> stop{false};

struct Options {
    std::string path, network;
    std::uint64_t games = 1'000, nodes = 1'000, seed = 1, shard = 0;
    Style style = Style::Varied;
};

std::uint64_t read_number(std::string_view name, std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::invalid_argument(std::string(name) + ": not a whole number: " + std::string(text));
    return number;
}

Style read_style(std::string_view text) {
    if (text == StyleNames[0]) return Style::Varied;
    if (text == StyleNames[1]) return Style::Even;
    throw std::invalid_argument("--style: expected varied or even, not " + std::string(text));
}

Options read_options(std::span<char*> words) {
    Options options;
    for (std::size_t index = 0; index < words.size(); ++index) {
        const std::string_view word = words[index];
        if (!word.starts_with("--")) {
            if (!options.path.empty()) throw std::invalid_argument("more than one file: " + std::string(word));
            options.path = word;
            continue;
        }
        if (++index == words.size()) throw std::invalid_argument("expected a value after " + std::string(word));
        const std::string_view value = words[index];
        if (word == "--games")
            options.games = read_number(word, value);
        else if (word == "--nodes")
            options.nodes = read_number(word, value);
        else if (word == "--seed")
            options.seed = read_number(word, value);
        else if (word == "--shard")
            options.shard = read_number(word, value);
        else if (word == "--network")
            options.network = value;
        else if (word == "--style")
            options.style = read_style(value);
        else
            throw std::invalid_argument("unknown option: " + std::string(word));
    }
    if (options.path.empty()) throw std::invalid_argument("expected the name of a file");
    if (options.nodes == 0 || options.nodes > UINT32_MAX || options.shard > UINT32_MAX)
        throw std::invalid_argument("the number of nodes must be from 1 to 2^32 - 1, and the shard below 2^32");
    return options;
}

std::unique_ptr<Network> load_network(const std::string& path) {
    if (path.empty()) return nullptr;
    std::ifstream in(path, std::ios::binary);
    const Bytes bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    auto network = std::make_unique<Network>();
    if (!read_network(bytes, *network)) throw std::runtime_error(path + " is not a file of network weights");
    return network;
}

void run(const Options& options) {
    const auto network = load_network(options.network);
    const FileHeader header{options.seed, network ? network->hash : 0, std::uint32_t(options.nodes),
                            std::uint32_t(options.shard), options.style};
    const auto games = extend_file(options.path, header, network.get(), options.games, stop, [](std::uint64_t) {});
    std::cout << games << " games in " << options.path << "\n";
}

}  // namespace

int main(int count, char** words) {
    if (count == 2 && std::string_view(words[1]) == "--help") {
        std::cout << Help;
        return 0;
    }
    std::signal(SIGINT, [](int) { stop = true; });
    std::signal(SIGTERM, [](int) { stop = true; });
    try {
        run(read_options(std::span(words + 1, std::size_t(count - 1))));
    } catch (const std::invalid_argument& error) {
        std::cerr << "cairn_selfplay: " << error.what() << "\n\n" << Help;
        return 2;
    } catch (const std::exception& error) {
        std::cerr << "cairn_selfplay: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
