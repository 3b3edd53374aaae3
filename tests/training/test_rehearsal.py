"""A rehearsal of training: two tiny generations, interrupted and continued. Needs PyTorch and matplotlib."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("matplotlib")

import numpy as np
import torch

from cairn import FOREST, Game
from cairn._native import core
from cairn.notation import read_setup
from cairn.training.fit import fit
from cairn.training.generations import Generation, train
from cairn.training.model import POINTS_PER_OUTPUT
from cairn.training.plots import plot_run
from cairn.training.samples import INPUTS, MOST_ACTIVE, mirrored, read_samples
from cairn.training.self_play import play_games
from cairn.training.settings import FitSettings, GateSettings, SelfPlaySettings, TrainingError, TrainingSettings
from cairn.vocabulary import MEGALITHS, Space

SETTINGS = TrainingSettings(
    seed=3,
    generations=2,
    jobs=2,
    self_play=SelfPlaySettings(games=60, nodes=60, shards=3),
    fit=FitSettings(epochs=3, batch=256, device="cpu"),
    gate=GateSettings(nodes=100, pairs=10),
)


class Steps:
    """Records the steps of a run, and interrupts it at one of them."""

    def __init__(self, interrupted_at: tuple[str, int] | None = None) -> None:
        self.steps: list[tuple[str, int]] = []
        self.ended: list[Generation] = []
        self._interrupted_at = interrupted_at

    def begin(self, step: str, generation: int, total: int) -> None:
        assert total > 0
        self.steps.append((step, generation))

    def update(self, done: int, words: str = "") -> None:
        if self.steps[-1] == self._interrupted_at and done > 2:
            raise KeyboardInterrupt

    def end(self, generation: Generation) -> None:
        self.ended.append(generation)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """With several threads, PyTorch adds numbers in a different order each time."""
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("games")
    return play_games(folder, SETTINGS.self_play, 1, None, 2, lambda _: None)


@pytest.mark.slow
def test_a_run_can_be_interrupted_at_every_step(tmp_path: Path) -> None:
    whole = Steps()
    expected = train(tmp_path / "whole", SETTINGS, whole)
    assert whole.steps == [(step, number) for number in (0, 1) for step in ("play", "fit", "gate")]
    assert whole.ended == expected
    for step in whole.steps:
        with pytest.raises(KeyboardInterrupt):
            train(tmp_path / "parts", SETTINGS, Steps(interrupted_at=step))
    assert train(tmp_path / "parts", SETTINGS, Steps()) == expected
    for name in ("generation-00/001.games", "generation-01/network.bin"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()

    plot_run(expected, tmp_path / "plot.svg")
    assert "<svg" in (tmp_path / "plot.svg").read_text(encoding="utf-8")
    log = json.loads((tmp_path / "whole" / "log.json").read_text(encoding="utf-8"))
    assert [len(each["losses"]) for each in log["generations"]] == [3, 3]
    with pytest.raises(TrainingError, match="other settings"):
        train(tmp_path / "whole", TrainingSettings(), Steps())


def test_fitting_reduces_the_loss_and_continues_from_a_checkpoint(games: list[Path], tmp_path: Path) -> None:
    settings = FitSettings(epochs=6, batch=256, device="cpu")
    _, losses = fit(games, settings, 1, tmp_path / "whole.pt")
    assert losses[-1].fitted < losses[0].fitted - 0.01
    assert losses[-1].held_out < 0.693

    class Stop(Exception):
        pass

    def stop(step: int, steps: int, _: Any) -> None:
        if step > steps // 2:
            raise Stop

    with pytest.raises(Stop):
        fit(games, settings, 1, tmp_path / "parts.pt", stop)
    model, resumed = fit(games, settings, 1, tmp_path / "parts.pt")
    assert resumed == losses
    assert len(model.quantised()) > 100_000


def described(text: str) -> tuple[list[int], int]:
    """The inputs of a position in the view of the active player, and its faces, from the description in network.h."""
    setup = read_setup(text)
    order = list(MEGALITHS.values())

    def place(space: Space) -> int:
        forest = 5 * (space.row - 1) + space.column - 1
        return forest if setup.active is FOREST else 24 - forest

    enemy = setup.active.enemy
    inputs = [25 * (tribe is enemy) + place(space) for space, tribe in setup.shamans.items()]
    inputs += [50 + 25 * order.index(tile) + place(space) for space, tile in setup.megaliths.items()]
    inputs += [475 + order.index(tile) for tile in setup.upcoming if tile]
    for start, tribe in enumerate((setup.active, enemy)):
        inputs += [492 + 3 * start + setup.scores[tribe], 498 + 6 * start + setup.village(tribe)]
    faces = sum(
        1 << index for index, side in enumerate(zip(str(setup.faces), "bdee", strict=True)) if side[0] == side[1]
    )
    return inputs, faces


def test_quantised_weights_give_nearly_the_same_estimates(games: list[Path], tmp_path: Path) -> None:
    model, _ = fit(games, FitSettings(epochs=4, batch=256, device="cpu"), 1, tmp_path / "checkpoint.pt")
    network = core.Network(model.quantised())
    random = Random(1)
    estimates = []
    for number in range(60):
        board = Game.start(("beginner", "standard", "expert")[number % 3], seed=number).board
        for _ in range(number):
            board.push(random.choice(board.legal_moves))
            if board.is_over:
                break
        if board.is_over or board.turn_tokens:
            continue
        inputs, faces = described(board.text)
        padded = np.full((1, MOST_ACTIVE), INPUTS)
        padded[0, : len(inputs)] = inputs
        with torch.no_grad():
            (output,) = model.outputs(torch.from_numpy(padded), torch.tensor([faces]))
        estimates.append(board.estimate(network))
        assert abs(estimates[-1] - POINTS_PER_OUTPUT * output.item()) < 3
    assert len(set(estimates)) > 20


def test_mirrored_samples_are_other_samples_and_mirroring_twice_restores_them(games: list[Path]) -> None:
    samples = read_samples(games)
    assert len(samples) > 500
    turned = mirrored(samples)
    assert (turned["faces"] == samples["faces"] ^ 1).all()
    assert (turned["inputs"] != samples["inputs"]).any()
    assert ((turned["inputs"] == INPUTS) == (samples["inputs"] == INPUTS)).all()
    assert (mirrored(turned) == samples).all()
