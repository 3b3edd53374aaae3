"""Fit the network to samples."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from cairn.training.model import POINTS_PER_OUTPUT, Model, Tensor
from cairn.training.samples import Array, mirrored, read_samples
from cairn.training.settings import FitSettings

_loss = torch.nn.functional.binary_cross_entropy_with_logits


@dataclasses.dataclass(frozen=True, slots=True)
class Losses:
    """The losses of one epoch, as mean cross-entropies."""

    epoch: int
    fitted: float
    """Against the targets that were fitted."""
    held_out: float
    """Against the targets of the held-out samples."""
    result: float
    """Against the results of the held-out games alone."""


def fit(
    files: Sequence[Path],
    settings: FitSettings,
    seed: int,
    checkpoint: Path,
    show: Callable[[int, int, Sequence[Losses]], object] = lambda *_: None,
) -> tuple[Model, list[Losses]]:
    """Fit a network to the games in ``files``, from random weights.

    Continues from the checkpoint if it exists, and writes it after every epoch. ``show`` is called with the number of
    steps so far, the number of all steps, and the losses so far.
    """
    device = settings.device if settings.device != "auto" else "cuda" if torch.cuda.is_available() else "cpu"
    held_out, fitted = _split(files, settings.held_out)
    model = Model(device, seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.rate)
    batches = max(1, len(fitted) // settings.batch)
    steps = settings.epochs * batches
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps, settings.rate / 100)
    losses: list[Losses] = []
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        model.restore(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        losses = [Losses(**each) for each in state["losses"]]
    for epoch in range(len(losses), settings.epochs):
        total = 0.0
        # An epoch has its own generator, so that a run that continues shuffles as an uninterrupted run does.
        random = np.random.default_rng([seed, epoch])
        for number, batch in enumerate(_batches(fitted, settings.batch, random)):
            inputs, faces, targets, _ = _tensors(batch, settings.score_weight, device)
            optimizer.zero_grad(set_to_none=True)
            loss = _loss(model.outputs(inputs, faces), targets)
            loss.backward()
            optimizer.step()
            schedule.step()
            model.clip()
            total += loss.item()
            show(epoch * batches + number + 1, steps, losses)
        against_targets, against_results = _measure(model, held_out, settings, device)
        losses.append(Losses(epoch + 1, total / batches, against_targets, against_results))
        _save(checkpoint, model, optimizer, schedule, losses)
    show(steps, steps, losses)
    return model, losses


def _split(files: Sequence[Path], share: float) -> tuple[Array, Array]:
    """The held-out and the other samples: whole games, except one of each file."""
    held_out, fitted = [], []
    for file in files:
        samples = read_samples([file])
        cut = max(1, int(len(samples) * share))
        held_out.append(samples[-cut:])
        fitted.append(samples[:-cut])
    return np.concatenate(held_out), np.concatenate(fitted)


def _batches(samples: Array, size: int, random: Any) -> Iterator[Array]:
    """All samples in random order, except an incomplete last batch. Half of the batches are mirrored."""
    order = random.permutation(len(samples))
    size = min(size, len(samples))
    for start in range(0, len(samples) - size + 1, size):
        batch = samples[np.sort(order[start : start + size])]
        yield mirrored(batch) if random.random() < 0.5 else batch


def _tensors(samples: Array, score_weight: float, device: str) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The inputs, faces, targets and results of samples."""
    results = (samples["result"].astype(np.float32) + 1) / 2
    expected = 1 / (1 + np.exp(-samples["score"].astype(np.float32) / POINTS_PER_OUTPUT))
    targets = score_weight * expected + (1 - score_weight) * results
    arrays = (samples["inputs"].astype(np.int64), samples["faces"].astype(np.int64), targets, results)
    inputs, faces, wanted, won = (torch.from_numpy(np.asarray(each)).to(device) for each in arrays)
    return inputs, faces, wanted.float(), won.float()


def _measure(model: Model, samples: Array, settings: FitSettings, device: str) -> tuple[float, float]:
    """The losses against targets and against results."""
    sums = np.zeros(2)
    with torch.no_grad():
        for start in range(0, len(samples), settings.batch):
            batch = samples[start : start + settings.batch]
            inputs, faces, targets, results = _tensors(batch, settings.score_weight, device)
            outputs = model.outputs(inputs, faces)
            sums += [len(batch) * _loss(outputs, wanted).item() for wanted in (targets, results)]
    against_targets, against_results = sums / len(samples)
    return float(against_targets), float(against_results)


def _save(path: Path, model: Model, optimizer: Any, schedule: Any, losses: Sequence[Losses]) -> None:
    state = {
        "model": model.state(),
        "optimizer": optimizer.state_dict(),
        "schedule": schedule.state_dict(),
        "losses": [dataclasses.asdict(each) for each in losses],
    }
    # Replace the file in one step, so that an interruption leaves the old checkpoint or the new one.
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    partial.replace(path)
