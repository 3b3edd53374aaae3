#include "selfplay_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

namespace cairn::training {

namespace {

// Games have to be the same on every machine, so the size of the table is fixed.
constexpr std::size_t TableMegabytes = 2;

void append(std::ofstream& out, const Bytes& bytes, const std::string& path) {
    out.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
    out.flush();
    if (!out) throw std::runtime_error("cannot write " + path);
}

// Returns the number of whole games in the file, and cuts off what follows them.
std::uint64_t repair(const std::string& path, const FileHeader& header) {
    std::ifstream in(path, std::ios::binary);
    const Bytes bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (read_header(bytes) != header) throw std::runtime_error(path + " was written with other settings");
    GameReader reader{std::span(bytes).subspan(FileHeader::Size)};
    SelfPlayGame game;
    std::uint64_t games = 0;
    while (reader.next(game)) ++games;
    std::filesystem::resize_file(path, FileHeader::Size + reader.consumed());
    return games;
}

}  // namespace

std::uint64_t extend_file(const std::string& path, const FileHeader& header, const Network* network,
                          std::uint64_t games, const std::atomic<bool>& stop,
                          const std::function<void(std::uint64_t)>& report) {
    const bool exists = std::filesystem::exists(path) && std::filesystem::file_size(path) >= FileHeader::Size;
    std::uint64_t number = exists ? repair(path, header) : 0;
    std::ofstream out(path, std::ios::binary | (exists ? std::ios::app : std::ios::trunc));
    if (!exists) {
        Bytes bytes;
        write_header(header, bytes);
        append(out, bytes, path);
    }

    Table table(TableMegabytes);
    const auto search = std::make_unique<Search>(table, stop);
    const SelfPlaySettings settings = SelfPlaySettings::of(header, network);
    report(number);
    while (number < games && !stop) {
        Random random = random_for(header.seed, header.shard, number);
        table.clear();
        const SelfPlayGame game = self_play(settings, *search, random, stop);
        if (stop) break;  // the game is incomplete
        Bytes bytes;
        write_game(game, bytes);
        append(out, bytes, path);
        report(++number);
    }
    return number;
}

}  // namespace cairn::training
