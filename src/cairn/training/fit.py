"""Fit the network to samples."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from cairn.training.batches import Samples, split
from cairn.training.model import Model
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
    held_out, fitted = split(files, settings.held_out, settings.score_weight, device)
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
        for number, batch in enumerate(fitted.shuffled(settings.batch, random)):
            optimizer.zero_grad(set_to_none=True)
            loss = _loss(model.outputs(batch.inputs, batch.faces), batch.targets)
            loss.backward()
            optimizer.step()
            schedule.step()
            model.clip()
            total += loss.item()
            show(epoch * batches + number + 1, steps, losses)
        against_targets, against_results = _measure(model, held_out, settings.batch)
        losses.append(Losses(epoch + 1, total / batches, against_targets, against_results))
        _save(checkpoint, model, optimizer, schedule, losses)
    show(steps, steps, losses)
    return model, losses


def _measure(model: Model, samples: Samples, batch: int) -> tuple[float, float]:
    """The losses against targets and against results."""
    sums = np.zeros(2)
    with torch.no_grad():
        for each in samples.in_order(batch):
            outputs = model.outputs(each.inputs, each.faces)
            sums += [len(each) * _loss(outputs, wanted).item() for wanted in (each.targets, each.results)]
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
