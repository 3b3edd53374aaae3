"""The configuration of a training run, read from a TOML file.

Every table and every key is optional; ``docs/training.toml`` lists them all, with their defaults.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar


class TrainingError(Exception):
    """Training cannot continue. The message is for people."""


@dataclasses.dataclass(frozen=True, slots=True)
class SelfPlaySettings:
    """How games are generated."""

    games: int = 150_000
    """Games per generation."""
    nodes: int = 1_000
    """Nodes per decision."""
    shards: int = 8
    """The number of files per generation. At most this many games are played in parallel."""


@dataclasses.dataclass(frozen=True, slots=True)
class FitSettings:
    """How the network is fitted."""

    epochs: int = 8
    batch: int = 16_384
    rate: float = 0.002
    """The highest learning rate. It falls along a cosine to a hundredth of this."""
    score_weight: float = 0.7
    """The share of the search score in the target; the rest is the result of the game."""
    generations: int = 2
    """Fit to the games of this many generations, the newest first."""
    held_out: float = 0.03
    """The share of games, from the end of each file, that only measure the loss."""
    device: str = "auto"
    """``cpu``, ``cuda``, or ``auto``: CUDA if there is a device."""


@dataclasses.dataclass(frozen=True, slots=True)
class GateSettings:
    """How a new network is tested against the best one so far."""

    movetime_ms: int = 0
    """Milliseconds per token; 0 to use ``nodes`` instead."""
    nodes: int = 10_000
    """Nodes per token. With a node limit, the gate is reproducible."""
    pairs: int = 2_000
    """The most pairs of games."""
    elo0: float = 0.0
    elo1: float = 10.0
    """The sequential test accepts the network if it is better by ``elo1`` rather than ``elo0``."""
    opening_plies: int = 4


@dataclasses.dataclass(frozen=True, slots=True)
class TrainingSettings:
    """A whole run."""

    seed: int = 1
    generations: int = 4
    jobs: int = 0
    """How many games to play in parallel; 0 for one per CPU core."""
    ray: str = ""
    """The address of a Ray cluster that plays the games, for example ``auto``; empty to play on this machine."""
    start: str = "none"
    """The evaluation that plays the first games, as in :func:`cairn.engine.network.open_network`."""
    self_play: SelfPlaySettings = dataclasses.field(default_factory=SelfPlaySettings)
    fit: FitSettings = dataclasses.field(default_factory=FitSettings)
    gate: GateSettings = dataclasses.field(default_factory=GateSettings)


_Table = TypeVar("_Table")


def read_settings(path: Path) -> TrainingSettings:
    """Read the configuration. Raises :class:`TrainingError` if it is not valid."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise TrainingError(f"{path}: {error}") from None
    tables: dict[str, type[Any]] = {"self_play": SelfPlaySettings, "fit": FitSettings, "gate": GateSettings}
    plain = {name: value for name, value in data.items() if name not in tables}
    parts = {name: _table(kind, data.get(name, {}), f"{path}: {name}") for name, kind in tables.items()}
    settings = _table(TrainingSettings, plain, str(path), parts)
    if (
        settings.generations < 1
        or settings.self_play.shards < 1
        or settings.self_play.games < settings.self_play.shards
    ):
        raise TrainingError(f"{path}: there must be at least one generation, one shard, and one game per shard")
    if not 0 <= settings.fit.score_weight <= 1 or not 0 < settings.fit.held_out < 1:
        raise TrainingError(f"{path}: score_weight must be from 0 to 1, and held_out between 0 and 1")
    return settings


def _table(kind: type[_Table], data: Any, where: str, parts: Mapping[str, Any] | None = None) -> _Table:
    if not isinstance(data, dict):
        raise TrainingError(f"{where} must be a table")
    kinds = {field.name: str(field.type) for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    for name, value in data.items():
        if name not in kinds or name in (parts or {}):
            raise TrainingError(f"{where}: unknown key {name}")
        allowed: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "str": (str,)}
        if isinstance(value, bool) or not isinstance(value, allowed[kinds[name]]):
            raise TrainingError(f"{where}: {name} must be of type {kinds[name]}")
        if isinstance(value, (int, float)) and value < 0:
            raise TrainingError(f"{where}: {name} must not be negative")
    return kind(**data, **(parts or {}))
