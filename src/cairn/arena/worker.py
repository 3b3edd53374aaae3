"""A worker process that plays games. It reads its settings and games, and writes its events, as lines of JSON.

A separate process protects the arena from an engine that crashes. The worker reports whenever a player begins to think,
so that a crash can be attributed to that player. :mod:`cairn.arena.worker_process` starts the worker and reads its
events.
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


def serve(lines: Iterable[str], send: Callable[[dict[str, Any]], object]) -> None:
    """Play the requested games. The first line contains the settings, and every other line contains a game."""
    lines = iter(lines)
    settings = ArenaSettings.from_json(json.loads(next(lines)))
    players = OpenEngines(settings)
    try:
        refusal = _open_all(settings, players)
        if refusal:
            send({"refused": refusal})
            return
        send({"ready": True})
        for line in lines:
            sent = 0

            def watch(player: int, game: Game) -> None:
                nonlocal sent
                send({"thinking": player, "tokens": " ".join(map(str, game.tokens[sent:]))})
                sent = len(game.tokens)

            send({"result": Match(settings, Job.from_json(json.loads(line)), players, watch).play().to_json()})
    finally:
        players.close()


def _open_all(settings: ArenaSettings, players: OpenEngines) -> str:
    """Open all engines. If one of them cannot start, return the reason; otherwise return an empty string."""
    for player, name in enumerate(settings.names):
        try:
            players.get(player)
        except Exception as error:  # noqa: BLE001  # whatever the error is, this player cannot play
            return f"{name} cannot play: {error}"
    return ""


def main() -> None:
    """Serve standard input and output."""
    # Keep engine output out of the event stream.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def send(data: dict[str, Any]) -> None:
        out.write(json.dumps(data) + "\n")
        out.flush()

    try:
        serve(sys.stdin, send)
    except (BrokenPipeError, StopIteration):
        os._exit(1)  # the arena has ended


if __name__ == "__main__":
    main()
