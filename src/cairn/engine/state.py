"""The current moment of a game as one line of JSON."""

from __future__ import annotations

import json

from cairn.game import Game


def state(game: Game) -> dict[str, object]:
    """The current moment, with its keys in the order that the protocol defines."""
    position, tokens = game.last_turn
    outcome, decider = game.outcome, game.decider
    return {
        "position": position,
        "tokens": [str(token) for token in tokens],
        "board": game.board.text,
        "phase": game.phase.value,
        "decider": decider.value if decider else "none",
        "legal": [str(token) for token in game.legal_moves],
        "winner": None if outcome is None else outcome.winner.value if outcome.winner else "draw",
    }


def state_line(game: Game) -> str:
    """The state as compact JSON."""
    return json.dumps(state(game), separators=(",", ":"))
