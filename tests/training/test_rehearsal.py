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
from cairn.training.batches import Samples
from cairn.training.fit import fit
from cairn.training.generations import Generation, train
from cairn.training.model import OUTPUT_UNIT, POINTS_PER_OUTPUT, SUM_UNIT, Model
from cairn.training.plots import plot_run
from cairn.training.samples import INPUTS, MOST_ACTIVE, read_samples
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


def near_inputs(shamans: list[tuple[int, bool]], stones: list[tuple[int, int]]) -> list[int]:
    """The inputs for pairs of shamans, and for shamans near megaliths, from the description in network.h."""

    def apart(a: int, b: int) -> tuple[int, int]:
        return a // 5 - b // 5, a % 5 - b % 5

    def are_near(a: int, b: int, most: int) -> bool:
        return max(map(abs, apart(a, b))) <= most

    pairs = [(a, b) for a in range(25) for b in range(25) if a != b and are_near(a, b, 2)]
    unordered = [(a, b) for a, b in pairs if a < b]
    inputs = []
    for a, of_enemy in shamans:
        for b, is_enemy in shamans:
            if of_enemy == is_enemy and (a, b) in unordered:
                inputs.append(510 + 168 * is_enemy + unordered.index((a, b)))
            elif is_enemy and not of_enemy and (a, b) in pairs:
                inputs.append(846 + pairs.index((a, b)))
        for stone, tile in stones:
            if are_near(a, stone, 1):
                rows, columns = apart(a, stone)
                inputs.append(1182 + 18 * tile + 9 * of_enemy + 3 * rows + columns + 4)
    return inputs


def described(text: str) -> tuple[list[int], int]:
    """The inputs of a position in the view of the active player, and its faces, from the description in network.h."""
    setup = read_setup(text)
    order = list(MEGALITHS.values())

    def place(space: Space) -> int:
        forest = 5 * (space.row - 1) + space.column - 1
        return forest if setup.active is FOREST else 24 - forest

    enemy = setup.active.enemy
    shamans = [(place(space), tribe is enemy) for space, tribe in setup.shamans.items()]
    stones = [(place(space), order.index(tile)) for space, tile in setup.megaliths.items()]
    inputs = [25 * is_enemy + a for a, is_enemy in shamans] + near_inputs(shamans, stones)
    inputs += [50 + 25 * tile + stone for stone, tile in stones]
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
    rounded = Model("cpu", 1)
    units = {"inputs": SUM_UNIT, "biases": SUM_UNIT, "outputs": OUTPUT_UNIT, "output_biases": SUM_UNIT * OUTPUT_UNIT}
    rounded.restore({name: (weights * units[name]).round() / units[name] for name, weights in model.state().items()})
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
        estimates.append(board.estimate(network))
        # Rounding the weights changes an estimate by some points. With rounded weights, only its own rounding remains.
        for each, difference in ((rounded, 1.1), (model, 8)):
            with torch.no_grad():
                (output,) = each.outputs(torch.from_numpy(padded), torch.tensor([faces]))
            assert abs(estimates[-1] - POINTS_PER_OUTPUT * output.item()) < difference
    assert len(set(estimates)) > 20


def test_mirrored_samples_are_other_samples_and_mirroring_twice_restores_them(games: list[Path]) -> None:
    array = read_samples(games)
    assert len(array) > 500
    samples = Samples.of(array, 0.7, "cpu")
    columns = samples.inputs.shape[1]
    assert (samples.inputs.numpy() == array["inputs"][:, :columns]).all()
    assert (array["inputs"][:, columns:] == INPUTS).all()
    turned = samples.mirrored()
    assert (turned.faces == samples.faces ^ 1).all()
    assert (turned.inputs != samples.inputs).any()
    assert ((turned.inputs == INPUTS) == (samples.inputs == INPUTS)).all()
    again = turned.mirrored()
    assert (again.inputs == samples.inputs).all()
    assert (again.faces == samples.faces).all()


def test_parts_with_different_numbers_of_inputs_can_be_joined(games: list[Path]) -> None:
    array = read_samples(games)
    parts = [Samples.of(array[:1], 0.7, "cpu"), Samples.of(array, 0.7, "cpu")]
    assert parts[0].inputs.shape[1] < parts[1].inputs.shape[1]
    joined = Samples.joined(parts)
    assert len(joined) == len(array) + 1
    assert (joined.inputs[0] == joined.inputs[1]).all()
    assert (joined.inputs[1:] == parts[1].inputs).all()
    assert [len(each) for each in joined.in_order(len(array))] == [len(array), 1]


def test_clipping_respects_the_limits_of_the_core() -> None:
    model = Model("cpu", 1)
    with torch.no_grad():
        for weights in model.parameters():
            weights.fill_(100.0)
    with pytest.raises(ValueError, match="not a file of network weights"):
        core.Network(model.quantised())
    model.clip()
    assert core.Network(model.quantised()).hash != 0
