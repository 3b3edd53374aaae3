// Turns self-play games into samples for training.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "../network.h"
#include "games.h"

namespace cairn::training {

// A position at the start of a turn. The layout is known to src/cairn/training/samples.py.
struct Sample {
    std::array<std::uint16_t, input::MostActive> inputs;  // in the view of the player to move; the rest is input::Count
    std::int16_t score;                                   // from the search, for the player to move
    std::int8_t result;                                   // 1 won, 0 drawn, -1 lost
    std::uint8_t faces;
};

Sample sample_of(const Position& position, std::int16_t score, int result);

// Replays the games of a file and calls `visit(position, score, result)` at the start of every turn that was searched,
// with the score and the result for the player to move. Proven wins and losses are left out: the search finds them
// itself. Throws std::runtime_error if the file is damaged.
template <typename Visit>
void for_each_turn(std::span<const std::uint8_t> file, Visit visit) {
    if (!read_header(file)) throw std::runtime_error("not a file of self-play games");
    const auto games = file.subspan(FileHeader::Size);
    GameReader reader(games);
    SelfPlayGame game;
    while (reader.next(game)) {
        Position position = game.start();
        for (const PlayedToken& played : game.tokens) {
            const int winner = int(game.winner) - 1;
            const int result = winner < 0 ? 0 : winner == position.active ? 1 : -1;
            if (played.score && !is_proof(*played.score)) visit(position, *played.score, result);
            // Use the generated token, which also says which tile it flips.
            TokenList legal;
            position.legal_tokens(legal);
            const Token* found = std::find(legal.begin(), legal.end(), played.token);
            if (found == legal.end()) throw std::runtime_error("the file has an illegal token");
            position.play(*found);
        }
    }
    if (reader.consumed() != games.size()) throw std::runtime_error("the file ends in the middle of a game");
}

}  // namespace cairn::training
