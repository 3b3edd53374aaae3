"""Test whether a new network is stronger than the best one so far, with the arena's sequential test."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from cairn.arena import ArenaSettings, Sprt, Standings, play_here, play_on_ray, run
from cairn.engine import Limit
from cairn.training.settings import GateSettings


def play_gate(
    candidate: Path,
    best: str,
    settings: GateSettings,
    seed: int,
    jobs: int,
    ray: str,
    show: Callable[[Standings], object],
) -> Standings:
    """Let the candidate play the best network, and return the standings with the verdict.

    With the address of a Ray cluster, the games are played there. Every machine must find the files of the networks
    under the same paths. The journal beside the candidate's file keeps finished games, so that an interrupted gate
    continues.
    """
    arena = ArenaSettings(
        players=(f"full,hash=16,network={candidate}", f"full,hash=16,network={best}"),
        limit=Limit(movetime_ms=settings.movetime_ms) if settings.movetime_ms else Limit(nodes=settings.nodes),
        seed=seed,
        pairs=settings.pairs,
        opening_plies=settings.opening_plies,
        sprt=Sprt(settings.elo0, settings.elo1),
    )
    here = functools.partial(play_here, jobs=jobs)
    pool = functools.partial(play_on_ray, jobs=None, address=ray) if ray else here
    return run(arena, candidate.with_suffix(".gate.jsonl"), candidate.with_suffix(".gate.cairn"), pool, show)
