"""The generations of a training run: play, fit, quantise, gate, and again with the better network.

A run lives in one folder. Everything that a step needs is on disk before the step begins, so the same command continues
a run that was interrupted, wherever it was.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from cairn.arena import SprtVerdict, Standings
from cairn.engine.network import open_network, weights_of
from cairn.training.gate import play_gate
from cairn.training.self_play import play_games, play_games_on_ray
from cairn.training.settings import TrainingError, TrainingSettings

LOG: Final = "log.json"
BEST: Final = "best.bin"


@dataclasses.dataclass(frozen=True, slots=True)
class Generation:
    """What one generation achieved."""

    number: int
    network: str
    """The SHA-256 of the weights."""
    losses: list[dict[str, float]]
    elo: float | None
    """The Elo difference from the best network before; ``None`` if the gate was too short or too one-sided to tell."""
    margin: float | None
    """Half the width of its 95% interval."""
    games: int
    """The games of the gate."""
    accepted: bool


class Display(Protocol):
    """Shows the progress of a run."""

    def begin(self, step: str, generation: int, total: int) -> None:
        """Begin a step: ``play``, ``fit`` or ``gate``."""

    def update(self, done: int, words: str = "") -> None:
        """Show how much of the step is done."""

    def end(self, generation: Generation) -> None:
        """Show the result of a generation."""


def train(folder: Path, settings: TrainingSettings, display: Display) -> list[Generation]:
    """Run all generations that are missing, and return all of them.

    The best network is ``best.bin`` in the folder, if any was accepted.
    """
    folder.mkdir(parents=True, exist_ok=True)
    done = _read_log(folder, settings)
    for number in range(len(done), settings.generations):
        done.append(_generation(folder, number, settings, _best(folder, done, settings), display))
        _write_log(folder, settings, done)
        display.end(done[-1])
    return done


def _generation(folder: Path, number: int, settings: TrainingSettings, best: str, display: Display) -> Generation:
    from cairn.training.fit import Losses, fit  # imports PyTorch

    jobs = settings.jobs or os.cpu_count() or 1
    here = folder / f"generation-{number:02}"
    # Different seeds for every generation, so that no games and no starts repeat.
    seed = 1_000 * settings.seed + number

    # 1. Play games with the best network.
    display.begin("play", number, settings.self_play.games)
    if settings.ray:
        play_games_on_ray(here, settings.self_play, seed, weights_of(best), settings.ray, display.update)
    else:
        play_games(here, settings.self_play, seed, open_network(best), jobs, display.update)

    # 2. Fit a new network to the newest games.
    oldest = max(0, number + 1 - settings.fit.generations)
    files = [
        file
        for each in range(oldest, number + 1)
        for file in sorted((folder / f"generation-{each:02}").glob("*.games"))
    ]
    display.begin("fit", number, 100)

    def show_fit(step: int, steps: int, losses: Sequence[Losses]) -> None:
        display.update(step * 100 // steps, f"loss {losses[-1].held_out:.4f}" if losses else "")

    model, losses = fit(files, settings.fit, seed, here / "checkpoint.pt", show_fit)

    # 3. Quantise it.
    candidate = here / "network.bin"
    weights = model.quantised()
    candidate.write_bytes(weights)

    # 4. Keep it if it is stronger.
    display.begin("gate", number, 2 * settings.gate.pairs)

    def show_gate(standings: Standings) -> None:
        found = standings.estimate()
        display.update(standings.games, f"Elo {found.elo:+.0f} ± {found.margin:.0f}" if found else "")

    standings = play_gate(candidate, best, settings.gate, seed, jobs, settings.ray, show_gate)
    found = standings.estimate()
    known = found is not None and math.isfinite(found.margin)
    return Generation(
        number,
        hashlib.sha256(weights).hexdigest(),
        [dataclasses.asdict(each) for each in losses],
        found.elo if found and known else None,
        found.margin if found and known else None,
        standings.games,
        standings.verdict is SprtVerdict.ACCEPTED,
    )


def _best(folder: Path, done: Sequence[Generation], settings: TrainingSettings) -> str:
    """The best network so far, as a name for ``open_network``."""
    accepted = [each for each in done if each.accepted]
    if not accepted:
        return settings.start
    network = folder / f"generation-{accepted[-1].number:02}" / "network.bin"
    (folder / BEST).write_bytes(network.read_bytes())
    return str(network)


def _read_log(folder: Path, settings: TrainingSettings) -> list[Generation]:
    path = folder / LOG
    if not path.exists():
        return []
    log = json.loads(path.read_text(encoding="utf-8"))
    if log["settings"] != _identity(settings):
        raise TrainingError(f"{path}: this folder holds a run with other settings")
    return [Generation(**each) for each in log["generations"]]


def _write_log(folder: Path, settings: TrainingSettings, done: Sequence[Generation]) -> None:
    _best(folder, done, settings)
    log = {"settings": _identity(settings), "generations": [dataclasses.asdict(each) for each in done]}
    partial = folder / f"{LOG}.partial"
    partial.write_text(json.dumps(log, indent=1), encoding="utf-8")
    partial.replace(folder / LOG)


def _identity(settings: TrainingSettings) -> dict[str, Any]:
    """The settings that must not change within a run: all but the number of generations and where games are played."""
    free = ("generations", "jobs", "ray")
    return {name: value for name, value in dataclasses.asdict(settings).items() if name not in free}
