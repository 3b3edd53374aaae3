"""Cairn as a PettingZoo environment (AEC). Needs the extra ``pettingzoo``.

``player_0`` is Forest and ``player_1`` is Sea, no matter who begins. The agent that decides next is selected, which may
be the opponent in the middle of a turn. Importing this module registers ``cairn/cairn_v1``.

>>> import pettingzoo
>>> env = pettingzoo.make("aec", "cairn/cairn_v1", variant="expert")
>>> env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.last()
>>> env.step(int(observation["action_mask"].argmax()))
"""

from __future__ import annotations

from typing import Any, Final

import gymnasium
import numpy as np
import pettingzoo
from gymnasium import spaces

from cairn.research.batch import ILLEGAL_REWARD
from cairn.research.encoding import ACTIONS, OBSERVATION_SIZE, VERSION, Array, highest_values
from cairn.research.single import SingleGame
from cairn.vocabulary import TRIBES, Tribe, Variant

NAME: Final = f"cairn_v{VERSION}"
AGENTS: Final = tuple(f"player_{number}" for number in range(len(TRIBES)))
_TRIBES: Final[dict[str, Tribe]] = dict(zip(AGENTS, TRIBES, strict=True))
_AGENTS: Final[dict[Tribe, str]] = dict(zip(TRIBES, AGENTS, strict=True))


class CairnAEC(pettingzoo.AECEnv):  # type: ignore[misc] # without types
    """A game between two agents.

    An observation has the keys ``observation`` and ``action_mask``. Rewards come at the end: 1 for the winner, -1 for
    the loser, 0 in a draw. If ``strict``, an illegal action raises an error; otherwise it changes nothing, the same
    agent chooses again, and its reward is ``illegal_reward``.

    ``reset`` accepts the options ``position`` and ``draws`` (:class:`~cairn.research.single.SingleGame`).
    """

    metadata: Final = {"name": NAME, "render_modes": ["human", "ansi"], "render_fps": 1, "is_parallelizable": False}

    def __init__(
        self,
        variant: Variant | str = Variant.STANDARD,
        *,
        strict: bool = False,
        illegal_reward: float = ILLEGAL_REWARD,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.variant: Final = Variant(variant)
        self.strict: Final = strict
        self.illegal_reward: Final = illegal_reward
        self.render_mode: Final = render_mode
        self.possible_agents: Final = list(AGENTS)
        self.agents: list[str] = []
        self.action_spaces: Final = {agent: spaces.Discrete(ACTIONS) for agent in AGENTS}
        self.observation_spaces: Final = {agent: _observation_space() for agent in AGENTS}
        self.generator: Any = None
        self.single: SingleGame

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game."""
        if seed is not None or self.generator is None:
            self.generator, _ = gymnasium.utils.seeding.np_random(seed)
        self.single = SingleGame(self.variant, self.generator, options, strict=self.strict)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, self.single.is_over)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None
        self.agent_selection = _AGENTS[self.single.decider or self.single.board.active]

    def observe(self, agent: str) -> dict[str, Array]:
        """What an agent sees. Only the agent that decides has legal actions."""
        tribe = _TRIBES[agent]
        decides = self.single.decider is tribe
        return {
            "observation": self.single.observe(tribe),
            "action_mask": self.single.mask() if decides else np.zeros(ACTIONS, np.int8),
        }

    def step(self, action: int | None) -> None:
        """Play the selected agent's action; ``None`` after the end of the game."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to choose an action: the game is not over")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if not self.single.choose(action):
            self.rewards[agent] = self.illegal_reward
        elif self.single.is_over:
            self.rewards = {each: self.single.reward(tribe) for each, tribe in _TRIBES.items()}
            self.terminations = dict.fromkeys(AGENTS, True)
        decider = self.single.decider
        if decider is not None:
            self.agent_selection = _AGENTS[decider]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Draw the board: print it, or return it as text."""
        if self.render_mode is None:
            gymnasium.logger.warn("Nothing to draw: create the environment with a render_mode.")
            return None
        drawing = self.single.drawing()
        if self.render_mode == "ansi":
            return drawing
        print(drawing)
        return None

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""


def _observation_space() -> Any:
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros(OBSERVATION_SIZE, np.uint8), highest_values(), dtype=np.uint8),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
    )


def env(**settings: Any) -> Any:
    """Create the environment, with the checks that PettingZoo recommends. Takes the arguments of :class:`CairnAEC`."""
    return pettingzoo.utils.wrappers.OrderEnforcingWrapper(CairnAEC(**settings))


pettingzoo.register("aec", f"cairn/{NAME}", entry_point=f"{__name__}:env")
