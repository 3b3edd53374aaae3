#include "perft.h"

namespace cairn {

std::uint64_t perft(Position& position, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return std::uint64_t(position.count_legal());
    TokenList tokens;
    position.legal_tokens(tokens);
    std::uint64_t nodes = 0;
    Undo before;
    for (Token token : tokens) {
        position.play(token, before);
        nodes += perft(position, depth - 1);
        position.undo(before);
    }
    return nodes;
}

}  // namespace cairn
