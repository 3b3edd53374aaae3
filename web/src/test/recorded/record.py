"""Record server responses for the tests of the play page. Run it without arguments.

``moments.jsonl`` contains one moment for each kind of decision that a person can face; ``effects.jsonl`` contains one
turn for each kind of effect. Both come from random games with fixed seeds, so the same rules give the same files.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
import random
from typing import Any, Final

from cairn import Board
from cairn.server.game.seated_game import SeatedGame
from cairn.server.messages.views import moment
from cairn.vocabulary import CHANCE

HERE: Final = pathlib.Path(__file__).parent
GAMES: Final = 400


def kinds(now: dict[str, Any]) -> list[str]:
    """Return the names of the kinds of decision at this moment."""
    tokens = [choice["token"] for choice in now["choices"]]
    found = [now["phase"]]
    if now["power"]:
        found = [now["power"]]
        found += ["stop"] if "stop" in tokens else []
        found += [f"SH-{token[:2]}" for token in tokens if ":" in token]
    if now["phase"] == "action":
        found += ["exit"] if any(token.endswith("-out") for token in tokens) else []
        found += ["add-only"] if all(token.startswith("+") for token in tokens) else []
        found += ["stuck"] if not any(token.startswith("+") for token in tokens) else []
    if now["phase"] == "transform":
        found += ["transform-several"] if len(tokens) > 2 else []
    if now["decider"] != now["active"]:
        found.append(f"inside-{now['phase']}")
    return found


def main() -> None:
    """Play games, collect every kind of moment and effect, and write the files."""
    moments: dict[str, Any] = {}
    turns: dict[str, list[Any]] = {}
    for seed in range(GAMES):
        rng = random.Random(seed)
        game = SeatedGame(Board.start("expert", seed=seed))
        turn: list[Any] = []
        while game.outcome is None:
            if game.decider is not CHANCE:
                now = moment(game).model_dump(mode="json")
                for kind in kinds(now):
                    moments.setdefault(kind, now)
            tokens = [str(token) for token in game.legal_moves]
            chosen = "stop" if "stop" in tokens and rng.random() < 0.5 else rng.choice(tokens)
            step = dataclasses.asdict(game.follow(chosen))
            turn = [*turn, step] if turn and turn[0]["turn"] == step["turn"] else [step]
            for effect in step["effects"]:
                detail = effect.get("way") or effect.get("result") or effect.get("reason")
                name = f"{effect['kind']}-{detail}" if detail else effect["kind"]
                if name not in turns or turns[name] == turn[:-1]:
                    turns[name] = turn
    write("moments.jsonl", moments)
    write("effects.jsonl", turns)


def write(name: str, content: dict[str, Any]) -> None:
    """Write one entry per line, so that diffs are readable."""
    lines = [json.dumps([key, content[key]], ensure_ascii=False) for key in sorted(content)]
    (HERE / name).write_text("\n".join(lines) + "\n")
    print(f"{name}: {', '.join(sorted(content))}")


if __name__ == "__main__":
    main()
