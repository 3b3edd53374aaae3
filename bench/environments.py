"""Environments as contenders: our batches and PettingZoo environment, and those of Pgx and PettingZoo."""

from __future__ import annotations

import importlib.metadata
import os
import random
import warnings
from typing import Any, Final

from measure import Batch, require

GAMES: Final = 1024
STEPS: Final = 20
REMEDY: Final = "install the dependency group `bench`"


def cairn_batch(seed: int, outputs: tuple[str, ...], threads: int = 1) -> Batch:
    """Step our games with random choices, and count the decisions."""
    batch = require("cairn.research.batch", REMEDY).Batch(
        GAMES, variant="all", seed=seed, outputs=outputs, threads=threads
    )

    def steps() -> float:
        for _ in range(STEPS):
            batch.step_random()
        return GAMES * STEPS

    return steps


def pgx_batch(name: str, seed: int) -> Batch:
    """Step games of Pgx with random legal actions, all in one compiled function."""
    jax = require("jax", REMEDY)
    pgx = require("pgx", REMEDY)
    env = pgx.make(name)
    step = pgx.auto_reset(env.step, env.init) if hasattr(pgx, "auto_reset") else _auto_reset(env)

    def one(state: Any, key: Any) -> Any:
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        choice, chance = jax.random.split(key)
        return step(state, jax.random.categorical(choice, logits), chance)

    @jax.jit  # type: ignore[untyped-decorator] # jax is not always installed
    def several(states: Any, key: Any) -> Any:
        def body(states: Any, key: Any) -> Any:
            return jax.vmap(one)(states, jax.random.split(key, GAMES)), None

        return jax.lax.scan(body, states, jax.random.split(key, STEPS))[0]

    keys = jax.random.split(jax.random.key(seed), GAMES)
    kept = {"states": jax.jit(jax.vmap(env.init))(keys), "key": jax.random.key(seed + 1)}

    def steps() -> float:
        kept["key"], key = jax.random.split(kept["key"])
        kept["states"] = jax.block_until_ready(several(kept["states"], key))
        return GAMES * STEPS

    return steps


def _auto_reset(env: Any) -> Any:
    from pgx.experimental.wrappers import auto_reset

    return auto_reset(env.step, env.init)


def aec_games(env: Any, seed: int) -> Batch:
    """Play a random game through PettingZoo's interface, and count the decisions."""
    chance = random.Random(seed)

    def game() -> float:
        env.reset(seed=chance.getrandbits(30))
        decisions = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(chance.choice(observation["action_mask"].nonzero()[0].tolist()))
                decisions += 1
        return decisions

    return game


def connect_four() -> Any:
    """PettingZoo's Connect Four."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    pettingzoo = require("pettingzoo", REMEDY)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pettingzoo.make("aec", "classic/connect_four_v3")


def ours() -> Any:
    """Our PettingZoo environment."""
    return require("cairn.research.pettingzoo", REMEDY).env()


def batches(contender: str, seed: int) -> dict[str, Batch]:
    """The measurements of a contender."""
    if contender == "pgx":
        return {name: pgx_batch(name, seed) for name in ("connect_four", "animal_shogi")}
    if contender == "pettingzoo":
        return {"connect_four": aec_games(connect_four(), seed), "cairn": aec_games(ours(), seed)}
    if contender == "threads":
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        outputs = ("observations", "masks")
        return {f"{threads}": cairn_batch(seed, outputs, threads) for threads in (1, 2)}
    raise ValueError(f"no such contender: {contender}")


def facts(contender: str) -> dict[str, Any]:
    """The versions of a contender's packages."""
    packages = {"pgx": ("pgx", "jax"), "pettingzoo": ("pettingzoo",)}.get(contender, ())
    return {package: importlib.metadata.version(package) for package in packages}
