"""The network in floating point, for training, and its conversion to the integers that the core uses.

The core's arithmetic (native/network.h) limits the weights, so training clips them after every step.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import numpy as np
import torch

from cairn.training.samples import BIAS_LIMIT, INPUT_LIMITS, INPUTS, OTHER_VIEW, WIDTH, Array

Tensor: TypeAlias = Any
"""A PyTorch tensor. The type is ``Any``, because type checks must work without PyTorch."""

FACE_SETS: Final = 16
SUM_UNIT: Final = 255
OUTPUT_UNIT: Final = 64
POINTS_PER_OUTPUT: Final = 65.0
"""An output of 1.0 is worth this many points; the output is the logit of the expected result."""
OUTPUT_LIMIT: Final = 127 / OUTPUT_UNIT
MAGIC: Final = b"CAIRNNN2"


class Model:
    """The weights, and the outputs for a batch of positions."""

    def __init__(self, device: str, seed: int) -> None:
        random = torch.Generator().manual_seed(seed)
        # The last row belongs to the padding and stays zero. Some 40 inputs of a view are 1.
        inputs = torch.randn(INPUTS + 1, WIDTH, generator=random) * 0.1
        inputs[INPUTS] = 0
        outputs = torch.randn(1, 2 * WIDTH, generator=random).repeat(FACE_SETS, 1) * 0.1
        self.weights: Final[dict[str, Tensor]] = {
            "inputs": inputs,
            "biases": torch.full((WIDTH,), 0.2),
            "outputs": outputs,
            "output_biases": torch.zeros(FACE_SETS),
        }
        for name, weights in self.weights.items():
            self.weights[name] = weights.to(device).requires_grad_()
        limits = torch.tensor([*INPUT_LIMITS, 0]) / SUM_UNIT
        self._input_limits: Final = limits.unsqueeze(1).to(device)
        self._other_view: Final = torch.from_numpy(OTHER_VIEW.astype(np.int64)).to(device)

    def parameters(self) -> Iterator[Tensor]:
        """The weights that training changes."""
        yield from self.weights.values()

    def outputs(self, inputs: Tensor, faces: Tensor) -> Tensor:
        """The logit of the expected result for each position. The indexes may be integers of any size."""
        inputs, faces = inputs.long(), faces.long()
        views = [self._sums(view) for view in (inputs, self._other_view[inputs])]
        squared = torch.cat(views, dim=1).clamp(0, 1).square()
        return (squared * self.weights["outputs"][faces]).sum(dim=1) + self.weights["output_biases"][faces]

    def _sums(self, inputs: Tensor) -> Tensor:
        weights = self.weights["inputs"]
        bags = torch.nn.functional.embedding_bag(inputs, weights, mode="sum", padding_idx=INPUTS)
        return bags + self.weights["biases"]

    def clip(self) -> None:
        """Limit the weights to the range that the core can represent."""
        with torch.no_grad():
            self.weights["inputs"].clamp_(-self._input_limits, self._input_limits)
            self.weights["biases"].clamp_(-BIAS_LIMIT / SUM_UNIT, BIAS_LIMIT / SUM_UNIT)
            self.weights["outputs"].clamp_(-OUTPUT_LIMIT, OUTPUT_LIMIT)

    def state(self) -> dict[str, Tensor]:
        """The weights, for a checkpoint."""
        return {name: weights.detach().cpu() for name, weights in self.weights.items()}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take the weights from a checkpoint."""
        with torch.no_grad():
            for name, weights in self.weights.items():
                weights.copy_(state[name])

    def quantised(self) -> bytes:
        """The weights as the file that the core reads."""
        weights: dict[str, Array] = {name: each.numpy() for name, each in self.state().items()}
        words = [
            _rounded(weights["inputs"][:INPUTS] * SUM_UNIT, "<i2"),
            _rounded(weights["biases"] * SUM_UNIT, "<i2"),
            _rounded(weights["outputs"] * OUTPUT_UNIT, "<i2"),
            _rounded(weights["output_biases"] * SUM_UNIT * OUTPUT_UNIT, "<i4"),
        ]
        return MAGIC + struct.pack("<I", WIDTH) + b"".join(words)


def _rounded(values: Array, kind: str) -> bytes:
    return bytes(np.rint(values).astype(kind).tobytes())
