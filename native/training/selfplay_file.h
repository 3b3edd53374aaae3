// Plays games into a file. A run that was interrupted continues where it ended, and writes the same bytes as a run
// without interruption, because each game depends only on the header, its number and the network.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "selfplay.h"

namespace cairn::training {

// Plays until the file holds `games` games or `stop` is set, and returns how many it holds. Creates the file, or
// continues it after cutting off an incomplete last game. Calls `report` with the number of games at the start and
// after each game. Throws std::runtime_error if the file has another header or cannot be written.
std::uint64_t extend_file(const std::string& path, const FileHeader& header, const Network* network,
                          std::uint64_t games, const std::atomic<bool>& stop,
                          const std::function<void(std::uint64_t)>& report);

}  // namespace cairn::training
