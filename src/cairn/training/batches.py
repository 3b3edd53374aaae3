"""Samples as tensors, on the device that fits the network to them.

The device keeps all samples, in compact form, and puts the batches together itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from cairn.training.model import POINTS_PER_OUTPUT, Tensor
from cairn.training.samples import ADD_FACE, INPUTS, MIRRORED, Array, read_samples

_MIRRORED: Final = torch.from_numpy(MIRRORED.astype(np.int16))


@dataclasses.dataclass(frozen=True, slots=True)
class Samples:
    """Some samples. Each field has one row per sample."""

    inputs: Tensor
    """16-bit integers. Only as many columns as the sample with the most inputs needs; the rest is padding."""
    faces: Tensor
    targets: Tensor
    """The expected results to fit: a mixture of the scores and the results."""
    results: Tensor
    """The results of the games: 1 won, 0.5 drawn, 0 lost."""

    @classmethod
    def of(cls, samples: Array, score_weight: float, device: str) -> Samples:
        """Convert an array of samples."""
        columns = int((samples["inputs"] != INPUTS).sum(axis=1).max(initial=0))
        results = (samples["result"].astype(np.float32) + 1) / 2
        expected = 1 / (1 + np.exp(-samples["score"].astype(np.float32) / POINTS_PER_OUTPUT))
        targets = score_weight * expected + (1 - score_weight) * results
        arrays = (samples["inputs"][:, :columns].astype(np.int16), samples["faces"].copy(), targets, results)
        inputs, faces, wanted, won = (torch.from_numpy(np.asarray(each)).to(device) for each in arrays)
        return cls(inputs, faces, wanted.float(), won.float())

    @classmethod
    def joined(cls, parts: Sequence[Samples]) -> Samples:
        """All samples of several parts."""
        columns = max(each.inputs.shape[1] for each in parts)
        padded = [
            torch.nn.functional.pad(each.inputs, (0, columns - each.inputs.shape[1]), value=INPUTS) for each in parts
        ]
        others = (torch.cat([getattr(each, name) for each in parts]) for name in ("faces", "targets", "results"))
        return cls(torch.cat(padded), *others)

    def __len__(self) -> int:
        return len(self.faces)

    def chosen(self, rows: Tensor | slice) -> Samples:
        """The samples in some rows."""
        return Samples(self.inputs[rows], self.faces[rows], self.targets[rows], self.results[rows])

    def mirrored(self) -> Samples:
        """The same samples on tables mirrored left-right."""
        inputs = _MIRRORED.to(self.inputs.device)[self.inputs.long()]
        return dataclasses.replace(self, inputs=inputs, faces=self.faces ^ ADD_FACE)

    def in_order(self, size: int) -> Iterator[Samples]:
        """All samples, in batches of this size; the last one may be smaller."""
        for start in range(0, len(self), size):
            yield self.chosen(slice(start, start + size))

    def shuffled(self, size: int, random: Any) -> Iterator[Samples]:
        """All samples in random order, except an incomplete last batch. Half of the batches are mirrored."""
        order = random.permutation(len(self))
        size = min(size, len(self))
        for start in range(0, len(self) - size + 1, size):
            rows = torch.from_numpy(np.sort(order[start : start + size])).to(self.faces.device)
            batch = self.chosen(rows)
            yield batch.mirrored() if random.random() < 0.5 else batch


def split(files: Sequence[Path], share: float, score_weight: float, device: str) -> tuple[Samples, Samples]:
    """The held-out and the other samples: whole games, except one of each file."""
    held_out, fitted = [], []
    for file in files:
        samples = read_samples([file])
        cut = max(1, int(len(samples) * share))
        held_out.append(Samples.of(samples[-cut:], score_weight, device))
        fitted.append(Samples.of(samples[:-cut], score_weight, device))
    return Samples.joined(held_out), Samples.joined(fitted)
