"""The process that plays games: settings and games come in as lines of JSON, what happens goes out as such.

It is a process of its own, so that an engine that takes its process down with it takes down no arena; it says who
begins to think, so that its death has a culprit. :mod:`cairn.arena.worker_process` is the other end.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any

from cairn.arena.match import Match, OpenEngines
from cairn.arena.settings import ArenaSettings, Job
from cairn.game import Game


def serve(lines: Iterable[str], tell: Callable[[dict[str, Any]], object]) -> None:
    """Play the games that the lines ask for; the first line is the settings."""
    lines = iter(lines)
    settings = ArenaSettings.from_json(json.loads(next(lines)))
    players = OpenEngines(settings)
    try:
        refusal = _open_all(settings, players)
        if refusal:
            tell({"refused": refusal})
            return
        tell({"ready": True})
        for line in lines:
            told = 0

            def watch(player: int, game: Game) -> None:
                nonlocal told
                tell({"thinking": player, "tokens": " ".join(map(str, game.tokens[told:]))})
                told = len(game.tokens)

            tell({"result": Match(settings, Job.from_json(json.loads(line)), players, watch).play().to_json()})
    finally:
        players.close()


def _open_all(settings: ArenaSettings, players: OpenEngines) -> str:
    """Why a player cannot even start, which is an error of the settings; empty if all can."""
    for player, name in enumerate(settings.names):
        try:
            players.get(player)
        except Exception as error:  # noqa: BLE001  # whatever it is, this player cannot play
            return f"{name} cannot play: {error}"
    return ""


def main() -> None:
    """Serve the standard streams until they end."""
    # What an engine prints must not get between the lines.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def tell(data: dict[str, Any]) -> None:
        out.write(json.dumps(data) + "\n")
        out.flush()

    try:
        serve(sys.stdin, tell)
    except (BrokenPipeError, StopIteration):
        os._exit(1)  # the arena is gone; nothing is left to be said


if __name__ == "__main__":
    main()
