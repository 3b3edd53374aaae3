#include "checkpoint.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "zobrist.h"

namespace cairn::openings {

namespace {

constexpr std::array<char, 16> Magic{'c', 'a', 'i', 'r', 'n', ' ', 'o', 'p', 'e', 'n', 'i', 'n', 'g', 's', ' ', '1'};

// A hash that finds damage, not intent.
std::uint64_t checksum(const RaceSolver::Header& header, const std::array<std::span<char>, 4>& parts) {
    std::uint64_t sum = 0;
    const auto add = [&sum](std::span<const char> bytes) {
        for (std::size_t first = 0; first < bytes.size(); first += sizeof(std::uint64_t)) {
            std::uint64_t word = 0;
            std::memcpy(&word, &bytes[first], std::min(sizeof(word), bytes.size() - first));
            sum = std::rotl((sum ^ word) * 0x9e3779b97f4a7c15, 29);
        }
    };
    add(std::span(reinterpret_cast<const char*>(&header), sizeof(header)));
    for (const auto& part : parts) add(part);
    return mix(sum);
}

}  // namespace

void save(RaceSolver& solver, const std::string& path) {
    const std::string unfinished = path + ".part";
    const RaceSolver::Header header = solver.header();
    const auto parts = solver.state();
    const std::uint64_t sum = checksum(header, parts);
    {
        std::ofstream out(unfinished, std::ios::binary | std::ios::trunc);
        out.write(Magic.data(), Magic.size());
        out.write(reinterpret_cast<const char*>(&header), sizeof(header));
        for (const auto& part : parts) out.write(part.data(), std::streamsize(part.size()));
        out.write(reinterpret_cast<const char*>(&sum), sizeof(sum));
        out.close();
        if (!out) throw std::runtime_error("cannot write " + unfinished);
    }
    std::filesystem::rename(unfinished, path);
}

bool restore(RaceSolver& solver, const std::string& path) {
    if (!std::filesystem::exists(path)) return false;
    std::ifstream in(path, std::ios::binary);
    std::array<char, Magic.size()> magic{};
    RaceSolver::Header header;
    in.read(magic.data(), magic.size());
    in.read(reinterpret_cast<char*>(&header), sizeof(header));
    if (!in || magic != Magic) throw std::runtime_error(path + " does not hold the tables of this program");
    if (header.tribe_size != solver.header().tribe_size)
        throw std::runtime_error(path + " holds the tables for tribes of another size");
    const auto parts = solver.state();
    for (const auto& part : parts) in.read(part.data(), std::streamsize(part.size()));
    std::uint64_t sum = 0;
    in.read(reinterpret_cast<char*>(&sum), sizeof(sum));
    if (!in || sum != checksum(header, parts)) throw std::runtime_error(path + " is damaged; delete it to start again");
    solver.restored(header);
    return true;
}

}  // namespace cairn::openings
