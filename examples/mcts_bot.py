"""A bot that searches with Monte Carlo tree search (UCT). It speaks the engine protocol.

cairn arena 'cmd:python examples/mcts_bot.py' level:1 --games 20 --movetime 200
"""

from __future__ import annotations

import math
import random
import time
from typing import Final

from cairn import FOREST, Board, Game, Token, Tribe
from random_bot import serve

EXPLORATION: Final = 1.0
PLAYOUTS: Final = 4
DEFAULT_MS: Final = 200


class Node:
    """A moment that a sequence of tokens leads to. A draw has a child for each tile."""

    def __init__(self) -> None:
        self.children: dict[Token, Node] = {}
        self.visits = 0
        self.forest = 0.0  # the sum of the results for Forest: 1 for a win, 0 for a loss, a half for a draw

    def value(self, tribe: Tribe) -> float:
        """The mean result for a tribe."""
        mean = self.forest / self.visits
        return mean if tribe is FOREST else 1 - mean

    def select(self, board: Board) -> Token:
        """The token to look at next: an untried one, or the one with the highest upper confidence bound."""
        moves, tribe = board.legal_moves, board.decider
        if not isinstance(tribe, Tribe):
            return random.choice(moves)  # chance draws a tile
        untried = [move for move in moves if move not in self.children]
        if untried:
            return random.choice(untried)
        bonus = EXPLORATION * math.sqrt(math.log(self.visits))
        return max(
            moves, key=lambda move: self.children[move].value(tribe) + bonus / math.sqrt(self.children[move].visits)
        )


def playouts(board: Board) -> float:
    """The mean result of random games for Forest."""
    _, (drawn, won, _) = board.random_playouts(PLAYOUTS, random.getrandbits(63), 1_000)
    return (won + drawn / 2) / PLAYOUTS


def simulate(root: Node, board: Board) -> None:
    """Walk down the tree, add one node, play from there at random, and store the result in every node on the way."""
    path = [root]
    while path[-1].visits and not board.is_over:
        token = path[-1].select(board)
        board.push(token)
        path.append(path[-1].children.setdefault(token, Node()))
    result = playouts(board)
    for node in path:
        node.visits += 1
        node.forest += result
    for _ in path[1:]:
        board.pop()


def choose(game: Game, limits: dict[str, int]) -> Token:
    """The token with the most visits when the time, or the number of nodes, is used up."""
    root, board = Node(), game.board.copy(history=False)
    deadline = time.monotonic() + limits.get("movetime", math.inf if "nodes" in limits else DEFAULT_MS) / 1000
    while not root.children or (root.visits < limits.get("nodes", math.inf) and time.monotonic() < deadline):
        simulate(root, board)
    return max(root.children, key=lambda token: root.children[token].visits)


if __name__ == "__main__":
    serve("MCTS bot", choose)
