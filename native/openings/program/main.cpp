// The openings program: solves the race to the first megalith in the beginner variant. `--help` lists the options.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "../checkpoint.h"
#include "../core_rules.h"

namespace {

using namespace cairn;
using namespace cairn::openings;
using Clock = std::chrono::steady_clock;

constexpr std::string_view Help =
    "usage: cairn_openings FOLDER [--turns N] [--threads N] [--checked N] [--samples N] [--seed N] [--save-seconds N]\n"
    "\n"
    "Finds out from which positions of the beginner variant a tribe can force the first megalith within N turns\n"
    "(default 22), with N threads (1). Stops early when more turns would change nothing. Ctrl+C stops it after the\n"
    "current pass. Needs 3.2 GB of memory and 6.4 GB of disk space.\n"
    "\n"
    "FOLDER/passes.jsonl  one line for each pass, which adds one turn, with N (16) of the positions that it decided;\n"
    "                     the rules of the core check it at N (200000) random positions, drawn with a seed (1)\n"
    "FOLDER/tables.bin    saved after a pass, at least N (300) seconds after the last time, and at the end; the next\n"
    "                     run continues from there\n"
    "FOLDER/starts.jsonl  at the end: the result of each start, and the first turns that win\n";

constexpr std::uint64_t MostTurns = 1'000, MostThreads = 1'024;

volatile std::sig_atomic_t stop = 0;

struct Options {
    std::string folder;
    std::uint64_t turns = 22, threads = 1, checked = 200'000, samples = 16, seed = 1, save_seconds = 300;
};

std::uint64_t read_number(std::string_view name, std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::invalid_argument(std::string(name) + ": not a whole number: " + std::string(text));
    return number;
}

Options read_options(const std::vector<std::string_view>& words) {
    Options options;
    for (std::size_t index = 0; index < words.size(); ++index) {
        const std::string_view word = words[index];
        if (!word.starts_with("--")) {
            if (!options.folder.empty()) throw std::invalid_argument("more than one folder: " + std::string(word));
            options.folder = word;
            continue;
        }
        std::uint64_t* number = word == "--turns"          ? &options.turns
                                : word == "--threads"      ? &options.threads
                                : word == "--checked"      ? &options.checked
                                : word == "--samples"      ? &options.samples
                                : word == "--seed"         ? &options.seed
                                : word == "--save-seconds" ? &options.save_seconds
                                                           : nullptr;
        if (number == nullptr) throw std::invalid_argument("unknown option: " + std::string(word));
        if (++index == words.size()) throw std::invalid_argument("expected a value after " + std::string(word));
        *number = read_number(word, words[index]);
    }
    if (options.folder.empty()) throw std::invalid_argument("expected the name of a folder");
    if (options.turns > MostTurns) throw std::invalid_argument("--turns: expected at most 1000");
    if (options.threads == 0 || options.threads > MostThreads)
        throw std::invalid_argument("--threads: expected a number from 1 to 1024");
    return options;
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::uint64_t peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::uint64_t(usage.ru_maxrss) * 1'024;  // kilobytes on Linux
}

// A JSON list of texts that need no escapes.
std::string list(const std::vector<std::string>& texts) {
    std::string line;
    for (const std::string& text : texts) line += (line.empty() ? "\"" : ", \"") + text + '"';
    return '[' + line + ']';
}

std::string describe(const RaceSolver& solver, double seconds, double cpu_seconds, std::uint64_t checked) {
    std::ostringstream line;
    line << "{\"turns\": " << solver.turns() << ", \"decided\": " << solver.decided() << ", \"open\": " << solver.open()
         << ", \"positions\": " << solver.positions() << ", \"complete\": " << (solver.is_complete() ? "true" : "false")
         << ", \"seconds\": " << seconds << ", \"cpu_seconds\": " << cpu_seconds << ", \"checked\": " << checked
         << ", \"table_bytes\": " << solver.bytes() << ", \"peak_bytes\": " << peak_memory() << ", \"starts\": [";
    for (std::size_t faces = 0; faces < FaceSets; ++faces) line << (faces == 0 ? "" : ", ") << solver.starts()[faces];
    std::vector<std::string> samples;
    for (const Sample& sample : solver.samples()) samples.push_back(write_race(sample.position));
    line << "], \"samples\": " << list(samples) << "}";
    return line.str();
}

// The starts with their results and the first turns that win.
void write_starts(const RaceSolver& solver, const std::string& path) {
    std::ofstream out(path, std::ios::trunc);
    for (unsigned faces = 0; faces < FaceSets; ++faces)
        out << "{\"position\": \"" << write_race(start_with(faces)) << "\", \"turns\": " << solver.starts()[faces]
            << ", \"winning\": " << list(winning_turns(solver, start_with(faces))) << "}\n";
    out.close();
    if (!out) throw std::runtime_error("cannot write " + path);
}

// Keeps the lines of the passes that the tables include. Returns how many there are.
int trim_journal(const std::string& path, int passes) {
    std::vector<std::string> lines;
    {
        std::ifstream in(path);
        for (std::string line; int(lines.size()) < passes && std::getline(in, line);) lines.push_back(line);
    }
    std::ofstream out(path, std::ios::trunc);
    for (const std::string& line : lines) out << line << "\n";
    out.close();
    if (!out) throw std::runtime_error("cannot write " + path);
    return int(lines.size());
}

// Two programs would overwrite each other's files. The lock lasts until the program ends.
void lock(const std::string& folder) {
    const std::string path = folder + "/lock";
    const int file = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    if (file < 0) throw std::runtime_error("cannot write " + path);
    if (flock(file, LOCK_EX | LOCK_NB) != 0) throw std::runtime_error("another program is using " + folder);
}

void run(const Options& options) {
    std::filesystem::create_directories(options.folder);
    lock(options.folder);
    const std::string tables = options.folder + "/tables.bin", journal = options.folder + "/passes.jsonl";
    RaceSolver solver;
    if (restore(solver, tables)) std::cout << "resumed after " << solver.turns() << " turns" << std::endl;
    if (trim_journal(journal, solver.turns() + 1) != solver.turns() + 1)
        throw std::runtime_error(journal + " lacks passes that " + tables + " includes; delete both to start again");

    std::ofstream out(journal, std::ios::app);
    auto saved_at = Clock::now();
    bool is_saved = true;
    while (solver.turns() < int(options.turns) && !solver.is_complete() && stop == 0) {
        const auto start = Clock::now();
        const std::clock_t cpu_start = std::clock();
        solver.run_pass(int(options.threads), std::size_t(options.samples));
        const double cpu_seconds = double(std::clock() - cpu_start) / CLOCKS_PER_SEC, seconds = seconds_since(start);
        if (const auto wrong = find_mistake(solver, options.checked, options.seed))
            throw std::runtime_error("turn " + std::to_string(solver.turns()) + ": the core disagrees at " +
                                     write_race(*wrong));
        out << describe(solver, seconds, cpu_seconds, options.checked) << std::endl;
        if (!out) throw std::runtime_error("cannot write " + journal);
        std::cout << solver.turns() << " turns: " << solver.decided() << " decided, " << solver.open() << " open, "
                  << seconds << " s" << std::endl;
        is_saved = false;
        if (seconds_since(saved_at) >= double(options.save_seconds)) {
            save(solver, tables);
            saved_at = Clock::now();
            is_saved = true;
        }
    }
    if (!is_saved) save(solver, tables);
    write_starts(solver, options.folder + "/starts.jsonl");
    std::cout << (solver.is_complete() ? "complete" : "stopped") << " after " << solver.turns() << " turns"
              << std::endl;
}

}  // namespace

int main(int count, char** words) {
    const std::vector<std::string_view> arguments(words + 1, words + count);
    if (arguments.size() == 1 && arguments[0] == "--help") {
        std::cout << Help;
        return 0;
    }
    for (int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { stop = 1; });
    try {
        run(read_options(arguments));
    } catch (const std::invalid_argument& error) {
        std::cerr << "cairn_openings: " << error.what() << "\n\n" << Help;
        return 2;
    } catch (const std::bad_alloc&) {
        std::cerr << "cairn_openings: not enough memory; the tables need 3.2 GB\n";
        return 1;
    } catch (const std::exception& error) {
        std::cerr << "cairn_openings: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
