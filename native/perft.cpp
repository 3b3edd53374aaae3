#include "perft.h"

namespace cairn {

std::uint64_t perft(const Position& position, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return std::uint64_t(position.count_legal());
    TokenList tokens;
    position.legal_tokens(tokens);
    std::uint64_t nodes = 0;
    for (Token token : tokens) {
        Position after = position;
        after.play(token);
        nodes += perft(after, depth - 1);
    }
    return nodes;
}

}  // namespace cairn
