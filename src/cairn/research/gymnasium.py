"""Cairn as Gymnasium environments. Needs the extra ``gymnasium``.

Importing this module registers two environments:

- ``cairn/Cairn-v1``: the agent plays one tribe against an opponent, such as a level.
- ``cairn/SelfPlay-v1``: the agent plays both tribes. ``make_vec`` creates a :class:`BatchEnv`, which plays all games in
  the native core.

>>> import gymnasium
>>> env = gymnasium.make("cairn.research.gymnasium:cairn/Cairn-v1", opponent="level:1")
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
"""

from __future__ import annotations

from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cairn.engine.engine import Engine
from cairn.engine.limits import NO_LIMIT, Limit
from cairn.research.batch import ILLEGAL_REWARD, Autoreset, Batch, Frame
from cairn.research.encoding import ACTIONS, OBSERVATION_SIZE, VERSION, Array, highest_values
from cairn.research.opponents import open_opponent
from cairn.research.single import SEEDS, SingleGame
from cairn.vocabulary import TRIBES, Tribe, Variant


def _observation_space() -> Any:
    return spaces.Box(np.zeros(OBSERVATION_SIZE, np.uint8), highest_values(), dtype=np.uint8)


class CairnEnv(gymnasium.Env):  # type: ignore[misc] # without types
    """One tribe against an opponent.

    ``opponent`` is a text such as ``level:3``, ``random`` or ``full`` (:func:`~cairn.research.opponents.open_opponent`)
    or an engine; ``limit`` limits its thinking. ``tribe`` is the agent's tribe; by default, it is tossed for each game.

    The reward is 1 for a win, -1 for a loss, otherwise 0. If ``strict``, an illegal action raises an error; otherwise
    it changes nothing, the agent chooses again, and the reward is ``illegal_reward``. ``info["action_mask"]`` says
    which actions are legal. ``reset`` accepts the options ``position`` and ``draws``
    (:class:`~cairn.research.single.SingleGame`).
    """

    metadata: Final = {"render_modes": ["human", "ansi"], "render_fps": 1}

    def __init__(  # settings, all but one by keyword
        self,
        variant: Variant | str = Variant.STANDARD,
        *,
        opponent: str | Engine | None = "level:1",
        limit: Limit = NO_LIMIT,
        tribe: Tribe | str | None = None,
        strict: bool = False,
        illegal_reward: float = ILLEGAL_REWARD,
        render_mode: str | None = None,
    ) -> None:
        self.variant: Final = Variant(variant)
        self.opponent: Final = None if opponent is None else open_opponent(opponent, limit)
        self.strict: Final = strict
        self.illegal_reward: Final = illegal_reward
        self.render_mode = render_mode
        self.observation_space = _observation_space()
        self.action_space = spaces.Discrete(ACTIONS)
        self.single: SingleGame
        self._wanted: Final = None if tribe is None else Tribe(tribe)
        self._tribe: Tribe | None = None

    @property
    def tribe(self) -> Tribe:
        """The tribe that the agent plays. In self-play, the tribe that decides, or else the active tribe."""
        return self._tribe or self.single.decider or self.single.board.active

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin a new game. The opponent plays until the agent has to choose."""
        super().reset(seed=seed)
        while True:
            self.single = SingleGame(self.variant, self.np_random, options, strict=self.strict)
            if self.opponent is not None:
                self._tribe = self._wanted or TRIBES[int(self.np_random.integers(len(TRIBES)))]
                self._answer()
            if not self.single.is_over:
                break
            if options and "position" in options:
                raise ValueError(f"the game is over before the agent can choose: {options['position']}")
        if self.render_mode == "human":
            self.render()
        return self._observe(), self._info()

    def step(self, action: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Play an action, and the opponent's answers to it."""
        tribe = self.tribe
        if self.single.choose(action):
            self._answer()
            reward = self.single.reward(tribe)
        else:
            reward = self.illegal_reward
        if self.render_mode == "human":
            self.render()
        return self._observe(), reward, self.single.is_over, False, self._info()

    def action_masks(self) -> Array:
        """Which actions are legal, as truth values; the name that sb3-contrib expects."""
        return self.single.mask().astype(np.bool_)

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
        """Close the opponent."""
        if self.opponent is not None:
            self.opponent.close()

    def _answer(self) -> None:
        """Let the opponent play until the agent has to choose or the game is over."""
        if self.opponent is None:
            return
        while not self.single.is_over and self.single.decider is not self._tribe:
            self.single.play(self.opponent.choose(self.single.game, self.np_random))

    def _observe(self) -> Array:
        return self.single.observe(self.tribe)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.single.mask(), "decider": TRIBES.index(self.tribe)}


class SelfPlayEnv(CairnEnv):
    """The agent plays both tribes. An observation is that of the decider, a reward that of the tribe that acted."""

    def __init__(
        self,
        variant: Variant | str = Variant.STANDARD,
        *,
        strict: bool = False,
        illegal_reward: float = ILLEGAL_REWARD,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(variant, opponent=None, strict=strict, illegal_reward=illegal_reward, render_mode=render_mode)


class BatchEnv(VectorEnv):  # type: ignore[misc] # without types
    """Many games of self-play at once, like :class:`SelfPlayEnv`, in the native core.

    ``variant`` may be ``"all"``: game i then plays the variant i % 3. With ``copy=False``, observations and infos are
    views of the core's two frames, which the step after the next one overwrites. ``infos["rewards"]`` has the rewards
    of both tribes, and ``infos["decider"]`` the tribe that chooses next. In ``AutoresetMode.SAME_STEP``,
    ``infos["final_obs"]`` has the last observations of finished games. In ``AutoresetMode.DISABLED``, call ``reset``
    with the option ``reset_mask``.
    """

    def __init__(  # noqa: PLR0913  # settings, all but one by keyword
        self,
        num_envs: int,
        *,
        variant: Variant | str = Variant.STANDARD,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        longest_game: int = 0,
        strict: bool = False,
        illegal_reward: float = ILLEGAL_REWARD,
        copy: bool = True,
    ) -> None:
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        self.num_envs = num_envs
        self.batch: Final = Batch(
            num_envs,
            variant=variant,
            threads=threads,
            autoreset=Autoreset(mode.value),
            longest_game=longest_game,
            strict=strict,
            illegal_reward=illegal_reward,
        )
        self.single_observation_space = _observation_space()
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._mode: Final = mode
        self._copies: Final = copy
        self._games: Final = np.arange(num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Deal all games anew, or those in the option ``reset_mask``."""
        super().reset(seed=seed)
        if options and "reset_mask" in options:
            frame = self.batch.reset_games(options["reset_mask"])
        else:
            frame = self.batch.reset(int(self.np_random.integers(SEEDS)) if seed is None else seed)
        return self._kept(frame.observations), self._infos(frame)

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Play an action in every game. The rewards are those of the tribes that acted."""
        # The frame after the end of a game has no decider; its row of rewards is 0 for both tribes.
        actors = np.minimum(self.batch.frame.deciders, len(TRIBES) - 1)
        frame = self.batch.step(actions)
        infos = self._infos(frame)
        if self._mode is AutoresetMode.SAME_STEP:
            self._add_final(frame, infos)
        return (
            self._kept(frame.observations),
            frame.rewards[self._games, actors],
            frame.terminations.copy(),
            frame.truncations.copy(),
            infos,
        )

    def _kept(self, array: Array) -> Array:
        return array.copy() if self._copies else array

    def _infos(self, frame: Frame) -> dict[str, Any]:
        return {
            "action_mask": self._kept(frame.masks.view(np.int8)[:, :ACTIONS]),
            "decider": self._kept(frame.deciders),
            "rewards": self._kept(frame.rewards),
            "illegal": self._kept(frame.illegal),
        }

    def _add_final(self, frame: Frame, infos: dict[str, Any]) -> None:
        ended = frame.terminations | frame.truncations
        if not ended.any():
            return
        final = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(ended):
            final[game] = frame.final_observations[game].copy()
        infos |= {"final_obs": final, "_final_obs": ended, "final_info": {}, "_final_info": ended.copy()}


gymnasium.register(f"cairn/Cairn-v{VERSION}", entry_point=f"{__name__}:CairnEnv")
gymnasium.register(
    f"cairn/SelfPlay-v{VERSION}", entry_point=f"{__name__}:SelfPlayEnv", vector_entry_point=f"{__name__}:BatchEnv"
)
