"""Plots of a training run: the losses of each fit, and the Elo of each generation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cairn.training.generations import Generation


def plot_run(generations: Sequence[Generation], path: Path) -> None:
    """Draw the losses and the Elo gained so far, as an SVG or PNG picture."""
    import matplotlib as mpl

    mpl.use("Agg")  # no window
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for each in generations:
        epochs = [losses["epoch"] for losses in each.losses]
        left.plot(epochs, [losses["held_out"] for losses in each.losses], label=f"generation {each.number}")
    left.set(title="Loss on held-out games", xlabel="epoch", ylabel="cross-entropy")
    left.legend()

    total = 0.0
    for each in generations:
        gain = each.elo or 0.0
        colour = "tab:green" if each.accepted else "tab:red"
        right.errorbar(each.number, total + gain, yerr=each.margin or 0.0, fmt="o", color=colour, capsize=4)
        total += gain if each.accepted else 0.0
    right.set(title="Elo over the first evaluation (green: accepted)", xlabel="generation", ylabel="Elo")
    right.xaxis.get_major_locator().set_params(integer=True)
    figure.savefig(path)
    pyplot.close(figure)
