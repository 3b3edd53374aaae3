"""The programs in ``examples`` work."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cairn import FOREST, SEA, Board, Game, Tribe
from cairn.engine import Engine, ExternalEngine, Limit, RandomEngine
from cairn.research import encoding

EXAMPLES = Path(__file__).parents[1] / "examples"


def bot(name: str) -> ExternalEngine:
    return ExternalEngine([sys.executable, str(EXAMPLES / f"{name}.py")])


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lets tests import the examples, as they import each other."""
    monkeypatch.syspath_prepend(EXAMPLES)
    yield
    for name in ("random_bot", "mcts_bot", "policy_gradient"):
        sys.modules.pop(name, None)


def play(forest: Engine, sea: Engine, limit: Limit, seed: int) -> Game:
    """Play a whole game. Draws take the first tile."""
    game, engines = Game.start("beginner", seed=seed), {FOREST: forest, SEA: sea}
    while game.outcome is None:
        decider = game.decider
        token = engines[decider].play(game, limit).token if isinstance(decider, Tribe) else game.legal_moves[0]
        game.push(token)
    return game


def test_the_random_bot_plays_whole_games_by_the_protocol() -> None:
    with bot("random_bot") as engine:
        assert engine.name == "Random bot"
        games = [play(engine, engine, Limit(nodes=1), seed) for seed in range(5)]
    assert len({game.tokens for game in games}) == 5


def test_a_bot_reports_bad_commands(capsys: pytest.CaptureFixture[str], examples: None, monkeypatch: Any) -> None:
    random_bot = importlib.import_module("random_bot")
    start = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
    lines = ["go", f"position {start} moves a1-a5", f"position {start}", "dance", "go nodes 1", "quit", "isready"]
    monkeypatch.setattr("sys.stdin", [f"{line}\n" for line in lines])
    random_bot.serve("Random bot", random_bot.choose)
    first, second, third, fourth = capsys.readouterr().out.splitlines()
    assert first == "error cannot do: go"
    assert second.startswith("error 'a1-a5' is not legal")
    assert third == "error cannot do: dance"
    assert fourth.removeprefix("bestmove ") in map(str, Game(start).legal_moves)


@pytest.mark.slow
def test_the_mcts_bot_beats_random_play() -> None:
    assert len((EXAMPLES / "mcts_bot.py").read_text(encoding="utf-8").splitlines()) <= 80
    with bot("mcts_bot") as engine:
        games = [play(engine, RandomEngine(seed), Limit(nodes=60), seed) for seed in range(6)]
    assert sum(game.outcome is not None and game.outcome.winner is FOREST for game in games) >= 5


@pytest.mark.slow
def test_the_mcts_bot_finds_a_win_in_one(examples: None) -> None:
    mcts_bot = importlib.import_module("mcts_bot")
    game = Game("2F2/5/5/S3S/5 - ---- - wofm 2-0 F")
    assert str(mcts_bot.choose(game, {"nodes": 300})) == "c5-out"


@pytest.fixture
def policy_gradient(examples: None) -> ModuleType:
    pytest.importorskip("torch", reason="PyTorch is not installed: run `make rehearse-training`, or pip install torch")
    return importlib.import_module("policy_gradient")


@pytest.mark.slow
def test_the_policy_gradient_example_trains_and_plays(policy_gradient: ModuleType, monkeypatch: Any) -> None:
    monkeypatch.setattr(policy_gradient, "GAMES", 32)
    monkeypatch.setattr(policy_gradient, "STEPS", 32)
    policy = policy_gradient.train(rounds=4, variant="beginner")
    for choice in policy_gradient.CHOICES:
        assert 0 <= policy_gradient.score(policy, choice, games=4, variant="beginner") <= 1


def test_the_lookahead_takes_a_win(policy_gradient: ModuleType) -> None:
    board = Board("2F2/5/5/S3S/5 - ---- - wofm 2-0 F")
    number = policy_gradient.choose_by_lookahead(policy_gradient.Policy(), board)
    assert str(encoding.token_of(board, number)) == "c5-out"
    assert board == Board("2F2/5/5/S3S/5 - ---- - wofm 2-0 F")


def test_advantages_change_sign_between_enemies(policy_gradient: ModuleType, monkeypatch: Any) -> None:
    import torch

    monkeypatch.setattr(policy_gradient, "GAMES", 1)
    monkeypatch.setattr(policy_gradient, "DISCOUNT", 1.0)
    monkeypatch.setattr(policy_gradient, "SMOOTHING", 1.0)

    def step(decider: int, reward: float, ended: bool) -> Any:
        one = torch.zeros(1)
        return policy_gradient.Step(
            one, one, torch.tensor([decider]), one, one, one, torch.tensor([reward]), torch.tensor([ended])
        )

    # Forest, Sea and Sea decide; then Sea wins. The moment after the end belongs to the next game.
    steps = [step(0, 0.0, False), step(1, 0.0, False), step(1, 1.0, True)]
    found = policy_gradient.advantages(steps, torch.tensor([0]), torch.tensor([0.7]))
    assert found.tolist() == [-1.0, 1.0, 1.0]


@pytest.mark.proof
def test_the_notebook_runs_and_draws_boards() -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: run `make docs`")
    import nbformat

    notebook = nbformat.read(EXAMPLES / "boards.ipynb", as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in cells), "commit the notebook without its results"
    nbclient.NotebookClient(notebook, timeout=120).execute()
    shown = [output.get("data", {}) for cell in cells for output in cell.outputs]
    assert sum("image/svg+xml" in data for data in shown) >= 5
