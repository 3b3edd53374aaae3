"""Learn to play by policy gradients (PPO), from games against itself only, and measure the result against level 1.

python examples/policy_gradient.py --rounds 160

The policy is a small network. It sees the observation of the tribe that decides, so the same weights play both tribes.
Its games run in a batch in the native core. Needs PyTorch: ``pip install 'cairn-game[gymnasium]' torch``.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from cairn import Board, Game, Tribe
from cairn.engine import NativeEngine
from cairn.research import encoding
from cairn.research.batch import Autoreset, Batch, Frame

GAMES: Final = 256
STEPS: Final = 64
MINIBATCH: Final = 2048
EPOCHS: Final = 2
DISCOUNT: Final = 0.99
SMOOTHING: Final = 0.95
CLIP: Final = 0.2
ENTROPY: Final = 0.04
LEARNING_RATE: Final = 7e-4
LONGEST_GAME: Final = 400


class Policy(nn.Module):  # type: ignore[misc]  # PyTorch is not always installed
    """A network with two outputs: logits of the legal tokens, and the expected result for the decider."""

    def __init__(self, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(encoding.OBSERVATION_SIZE, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.tokens = nn.Embedding(encoding.TOKENS, width)
        self.result = nn.Linear(width, 1)
        nn.init.normal_(self.tokens.weight, std=0.01)

    def forward(self, observations: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Logits with the shape of ``legal``, the lists of legal tokens padded with -1; and the results."""
        hidden = self.body(observations.float())
        rows, columns = (legal >= 0).nonzero(as_tuple=True)  # most lists are short, so compute no padding
        scores = (hidden[rows] * self.tokens(legal[rows, columns])).sum(dim=1)
        logits = torch.full(legal.shape, -1e9).index_put((rows, columns), scores)
        return logits, torch.tanh(self.result(hidden)).squeeze(1)

    def results(self, observations: Tensor) -> Tensor:
        """Only the expected results."""
        return torch.tanh(self.result(self.body(observations.float()))).squeeze(1)


class Step(NamedTuple):
    """One decision in every game."""

    observations: Tensor
    legal: Tensor
    deciders: Tensor
    choices: Tensor
    """Indices into ``legal``."""
    log_probabilities: Tensor
    results: Tensor
    rewards: Tensor
    ended: Tensor


def read(frame: Frame) -> tuple[Tensor, Tensor, Tensor]:
    """Copy the observations, the lists of legal tokens and the deciders of a frame."""
    longest = int(frame.counts.max())
    legal = torch.from_numpy(frame.legal[:, :longest].astype("int64"))
    return torch.from_numpy(frame.observations.copy()), legal, torch.from_numpy(frame.deciders.astype("int64"))


@torch.no_grad()  # type: ignore[untyped-decorator]
def collect(batch: Batch, policy: Policy) -> tuple[list[Step], Tensor, Tensor]:
    """Play ``STEPS`` decisions in every game. Return them, and the deciders and results of the moments after them."""
    steps = []
    for _ in range(STEPS):
        observations, legal, deciders = read(batch.frame)
        logits, results = policy(observations, legal)
        chance = torch.distributions.Categorical(logits=logits)
        choices = chance.sample()
        frame = batch.step(legal.gather(1, choices[:, None]).squeeze(1).numpy())
        rewards = torch.from_numpy(frame.rewards.copy()).gather(1, deciders[:, None]).squeeze(1)
        ended = torch.from_numpy(frame.terminations | frame.truncations)
        steps.append(Step(observations, legal, deciders, choices, chance.log_prob(choices), results, rewards, ended))
    observations, legal, deciders = read(batch.frame)
    return steps, deciders, policy(observations, legal)[1]


def advantages(steps: list[Step], deciders: Tensor, results: Tensor) -> Tensor:
    """Generalised advantage estimates. What is good for the next decider is bad for this one if they are enemies."""
    found = []
    advantage = torch.zeros(GAMES)
    for step in reversed(steps):
        goes_on = torch.where(step.deciders == deciders, 1.0, -1.0) * ~step.ended * DISCOUNT
        surprise = step.rewards + goes_on * results - step.results
        advantage = surprise + goes_on * SMOOTHING * advantage
        deciders, results = step.deciders, step.results
        found.append(advantage)
    return torch.cat(found[::-1])


def update(policy: Policy, optimizer: torch.optim.Optimizer, steps: list[Step], advantage: Tensor) -> float:
    """Improve the policy with the collected decisions, and return the mean entropy of its choices."""
    longest = max(step.legal.shape[1] for step in steps)
    legal = torch.cat([nn.functional.pad(step.legal, (0, longest - step.legal.shape[1]), value=-1) for step in steps])
    observations, choices, before, results = (
        torch.cat(list(part))
        for part in zip(*((s.observations, s.choices, s.log_probabilities, s.results) for s in steps), strict=True)
    )
    targets = results + advantage
    scaled = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    entropies: list[float] = []
    for _ in range(EPOCHS):
        for chosen in torch.randperm(len(legal)).split(MINIBATCH):
            logits, estimated = policy(observations[chosen], legal[chosen])
            chance = torch.distributions.Categorical(logits=logits)
            ratio = torch.exp(chance.log_prob(choices[chosen]) - before[chosen])
            gain = torch.minimum(ratio * scaled[chosen], ratio.clamp(1 - CLIP, 1 + CLIP) * scaled[chosen])
            entropy = chance.entropy().mean()
            loss = 0.5 * (estimated - targets[chosen]).square().mean() - gain.mean() - ENTROPY * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            entropies.append(entropy.item())
    return sum(entropies) / len(entropies)


@torch.no_grad()  # type: ignore[untyped-decorator]
def choose_by_policy(policy: Policy, board: Board) -> int:
    """The number of the token that the policy likes best."""
    legal = torch.tensor([encoding.legal_ids(board)])
    observation = torch.from_numpy(encoding.observe(board).copy())[None]
    return int(legal[0, policy(observation, legal)[0].argmax()])


@torch.no_grad()  # type: ignore[untyped-decorator]
def choose_by_lookahead(policy: Policy, board: Board) -> int:
    """The number of the token after which the expected result is best: a search of one step."""
    decider, numbers = board.decider, encoding.legal_ids(board)
    observations, signs, decided = [], [], []
    for number in numbers:
        board.push(encoding.token_of(board, number))
        viewer = board.decider if isinstance(board.decider, Tribe) else board.active  # see encoding.observe
        observations.append(encoding.observe(board))
        signs.append(1.0 if viewer is decider else -1.0)
        decided.append((1.0 if board.outcome.winner is decider else -1.0) if board.outcome else 0.0)
        board.pop()
    expected = policy.results(torch.from_numpy(np.stack(observations))) * torch.tensor(signs)
    certain = torch.tensor(decided)
    return numbers[int(torch.where(certain == 0, expected, 2 * certain).argmax())]


CHOICES: Final = {"policy": choose_by_policy, "lookahead": choose_by_lookahead}


def score(policy: Policy, choice: str, games: int, variant: str) -> float:
    """The mean result against level 1: 1 for a win, a half for a draw. The tribes change after every game."""
    points = 0.0
    for number in range(games):
        game, rng = Game.start(variant, seed=number), random.Random(number)
        tribe = list(Tribe)[number % 2]
        with NativeEngine(level=1, seed=number) as opponent:
            while game.outcome is None:
                if game.decider is tribe:
                    game.push(encoding.token_of(game.board, CHOICES[choice](policy, game.board)))
                elif isinstance(game.decider, Tribe):
                    game.push(opponent.play(game).token)
                else:  # a draw
                    game.push(rng.choice(game.legal_moves))
        points += 0.5 if game.outcome.winner is None else float(game.outcome.winner is tribe)
    return points / games


def train(rounds: int, variant: str, seed: int = 1) -> Policy:
    """Train a new policy, and print its progress every 20 rounds. The learning rate falls to zero."""
    torch.manual_seed(seed)
    policy = Policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, rounds)
    batch = Batch(
        GAMES,
        variant=variant,
        seed=seed,
        autoreset=Autoreset.SAME_STEP,
        outputs=("observations",),
        longest_game=LONGEST_GAME,
    )
    start = time.monotonic()
    for done in range(1, rounds + 1):
        steps, deciders, results = collect(batch, policy)
        entropy = update(policy, optimizer, steps, advantages(steps, deciders, results))
        schedule.step()
        if done % 20 == 0:
            ended = sum(int(step.ended.sum()) for step in steps)
            print(
                f"{time.monotonic() - start:5.0f} s  {done * GAMES * STEPS:>10,} decisions  entropy {entropy:.2f}  "
                f"{GAMES * STEPS / max(ended, 1):4.0f} decisions a game",
                flush=True,
            )
    return policy


def main() -> None:
    """Train, then play against level 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=160)
    parser.add_argument("--variant", default="beginner")
    parser.add_argument("--games", type=int, default=400, help="number of games against level 1")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    policy = train(options.rounds, options.variant, options.seed)
    for choice in CHOICES:
        points = score(policy, choice, options.games, options.variant)
        print(f"{choice}: {points:.1%} of {options.games} games against level 1", flush=True)


if __name__ == "__main__":
    main()
