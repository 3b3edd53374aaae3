"""Cairn as an OpenSpiel game. Needs the extra ``openspiel``.

Importing this module registers ``python_cairn``. Forest is player 0 and Sea is player 1, no matter who begins. The
actions of the players are the numbers of :mod:`cairn.research.encoding`.

Everything random is an explicit chance node. A game begins with the deal: the megaliths on the stone circles (except in
the beginner variant) and in the two upcoming slots, one after the other; then a toss for each of the four faces; then
one for the tribe that begins. Later, each draw is a chance node. The outcome of a tile is its index in
:data:`~cairn.research.encoding.TILES`. The order of the deck exists nowhere, so no copy of a state can reveal it.

>>> import pyspiel
>>> game = pyspiel.load_game("python_cairn(variant=expert)")
>>> state = game.new_initial_state()
>>> len(state.chance_outcomes())
17
"""

from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyspiel

from cairn._native import core
from cairn.board import Board
from cairn.research.encoding import ACTIONS, OBSERVATION_SIZE, TILES
from cairn.rulebook.ending import REPETITIONS_TO_DRAW
from cairn.rulebook.setup import STARTING_SPACES
from cairn.vocabulary import (
    FOREST,
    MEGALITHS,
    SEA,
    STONE_CIRCLES,
    TRIBES,
    AddFace,
    Deck,
    Faces,
    JumpFace,
    Megalith,
    MoveFace,
    Phase,
    Setup,
    Space,
    TransformationFace,
    Variant,
)

NAME: Final = "python_cairn"
LONGEST_GAME: Final = 10_000
"""The maximum length of a game in tokens. OpenSpiel requires a maximum; random games take about 115 tokens."""
CHANCE_NUMBER: Final = 2
_FACES: Final = (AddFace, MoveFace, JumpFace, TransformationFace)
_TILES: Final = tuple(MEGALITHS.values())

GAME_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Cairn",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"variant": Variant.STANDARD.value},
)
GAME_INFO: Final = pyspiel.GameInfo(
    num_distinct_actions=ACTIONS,
    max_chance_outcomes=len(TILES),
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=LONGEST_GAME,
)


class Deal:
    """The deal (S2-S5) as a sequence of outcomes."""

    def __init__(self, variant: Variant) -> None:
        self.variant: Final = variant
        self._circles: dict[Space, Megalith] = {}
        if variant is Variant.BEGINNER:
            self._circles = {tile.beginner_start: tile for tile in variant.megaliths if tile.beginner_start}
        self._tiles_to_deal: Final = 2 + len(STONE_CIRCLES) - len(self._circles)
        self.outcomes: list[int] = []

    @property
    def length(self) -> int:
        """The number of chance nodes: tiles, four faces, and who begins."""
        return self._tiles_to_deal + len(_FACES) + 1

    @property
    def is_done(self) -> bool:
        """Whether everything has been dealt."""
        return len(self.outcomes) == self.length

    def next_outcomes(self) -> list[int]:
        """The possible outcomes of the next chance node, all equally likely."""
        if len(self.outcomes) >= self._tiles_to_deal:
            return [0, 1]
        gone = {_TILES[outcome] for outcome in self.outcomes} | set(self._circles.values())
        return [_TILES.index(tile) for tile in self.variant.megaliths if tile not in gone]

    def describe(self, outcome: int) -> str:
        """What an outcome of the next chance node means."""
        toss = len(self.outcomes) - self._tiles_to_deal
        if toss < 0:
            places = [*(str(space) for space in STONE_CIRCLES if space not in self._circles), "slot 0", "slot 1"]
            return f"{places[len(self.outcomes)]}: {TILES[outcome]}"
        if toss < len(_FACES):
            return f"face: {list(_FACES[toss])[outcome].value}"
        return f"first: {TRIBES[outcome].value}"

    def setup(self) -> Setup:
        """The position that was dealt."""
        tiles = [_TILES[outcome] for outcome in self.outcomes[: self._tiles_to_deal]]
        tosses = self.outcomes[self._tiles_to_deal :]
        circles = self._circles or dict(zip(STONE_CIRCLES, tiles, strict=False))
        upcoming = tiles[-2:]
        rest = frozenset(self.variant.megaliths) - {*circles.values(), *upcoming}
        return Setup(
            shamans={space: tribe for tribe in TRIBES for space in STARTING_SPACES[tribe]},
            megaliths=circles,
            upcoming=(upcoming[0], upcoming[1]),
            deck=Deck.of(rest, ()),
            faces=Faces(
                list(AddFace)[tosses[0]],
                list(MoveFace)[tosses[1]],
                list(JumpFace)[tosses[2]],
                list(TransformationFace)[tosses[3]],
            ),
            scores={FOREST: 0, SEA: 0},
            active=TRIBES[tosses[-1]],
        )


def deal_outcomes(variant: Variant | str, start: Setup) -> list[int]:
    """The outcomes of the deal that lead to a start position of the variant."""
    tiles = [] if Variant(variant) is Variant.BEGINNER else [start.megaliths[space] for space in STONE_CIRCLES]
    tiles += [tile for tile in start.upcoming if tile is not None]
    faces = start.faces
    shown = (faces.add, faces.move, faces.jump, faces.transformation)
    tosses = [list(kind).index(face) for kind, face in zip(_FACES, shown, strict=True)]
    return [*(_TILES.index(tile) for tile in tiles), *tosses, TRIBES.index(start.active)]


class CairnGame(pyspiel.Game):  # type: ignore[misc] # pyspiel has no types
    """Cairn. The parameter ``variant`` is ``beginner``, ``standard`` or ``expert``."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        super().__init__(GAME_TYPE, GAME_INFO, dict(params or {}))
        self.variant: Final = Variant(self.get_parameters().get("variant", Variant.STANDARD.value))

    def new_initial_state(self) -> CairnState:
        """The moment before the deal."""
        return CairnState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> CairnObserver | None:
        """Create an observer of the present; there is none with perfect recall."""
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            return None
        if params:
            raise ValueError(f"the observer has no parameters, but got {params}")
        return CairnObserver()


class _Table:
    """The deal or the board, and how often each position has begun a turn.

    This is a separate class because OpenSpiel clones a state by deep-copying its attributes.
    """

    def __init__(self, deal: Deal, board: Board | None, past: collections.Counter[int]) -> None:
        self.deal = deal
        self.board = board
        self.past = past
        self.is_drawn = False

    def play(self, number: int) -> None:
        """Apply an outcome of the deal, or play the token with this number."""
        if self.board is None:
            self.deal.outcomes.append(number)
            if self.deal.is_done:
                self.board = Board(self.deal.setup())
                self.past[self.board.key] += 1
            return
        if not core.push_id(self.board, number):
            raise ValueError(f"{number} is not legal at {self.board.text}")
        if self.board.phase is Phase.ACTION:  # G3
            self.past[self.board.key] += 1
            self.is_drawn = self.past[self.board.key] >= REPETITIONS_TO_DRAW

    def __deepcopy__(self, memo: object) -> _Table:
        deal = Deal(self.deal.variant)
        deal.outcomes = self.deal.outcomes.copy()
        # The counts replace the history; the observer uses them, too.
        copy = _Table(deal, self.board.copy(history=False) if self.board else None, self.past.copy())
        copy.is_drawn = self.is_drawn
        return copy


class CairnState(pyspiel.State):  # type: ignore[misc] # pyspiel has no types
    """A moment of a game, with its repetition counts."""

    def __init__(self, game: CairnGame) -> None:
        super().__init__(game)
        self.table = _Table(Deal(game.variant), None, collections.Counter())

    @property
    def board(self) -> Board | None:
        """The current moment; ``None`` during the deal."""
        return self.table.board

    def current_player(self) -> int:
        """0 for Forest, 1 for Sea, or OpenSpiel's numbers for chance and for a finished game."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        board = self.table.board
        if board is None or board.decider_number == CHANCE_NUMBER:
            return int(pyspiel.PlayerId.CHANCE)
        return board.decider_number

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        board = self.table.board
        return board is not None and (self.table.is_drawn or board.is_over)

    def returns(self) -> list[float]:
        """1 for the winner, -1 for the loser; 0 for both in a draw or an unfinished game."""
        board = self.table.board
        return [[0.0, 0.0], [1.0, -1.0], [-1.0, 1.0]][board.winner_number if board else 0]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the deal, or the tiles that may be drawn (E4), all equally likely."""
        board = self.table.board
        outcomes = [number - ACTIONS for number in core.legal_ids(board)] if board else self.table.deal.next_outcomes()
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _legal_actions(self, player: int) -> Sequence[int]:
        return core.legal_ids(self.table.board) if self.table.board else []

    def _apply_action(self, action: int) -> None:
        is_draw = self.table.board is not None and self.is_chance_node()
        self.table.play(ACTIONS + action if is_draw else action)

    def _action_to_string(self, player: int, action: int) -> str:
        board = self.table.board
        if board is None:
            return self.table.deal.describe(action)
        if player == pyspiel.PlayerId.CHANCE:
            return f"?{TILES[action]}"
        return str(core.token_of(board, action))

    def __str__(self) -> str:
        board = self.table.board
        return repr(board) if board else f"Deal({self.table.deal.outcomes})"


class CairnObserver:
    """Writes observations of states, as :func:`cairn.research.encoding.observe` does. During the deal, they are 0."""

    def __init__(self) -> None:
        self.tensor = np.zeros(OBSERVATION_SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: CairnState, player: int) -> None:
        """Observe a state as a player sees it."""
        board = state.table.board
        if board is None:
            self.tensor.fill(0)
            return
        self.tensor[:] = np.frombuffer(core.observe(board, player), np.uint8)
        turn_start = Board(board.turn_start).key
        self.tensor[-1] = min(max(state.table.past[turn_start] - 1, 0), REPETITIONS_TO_DRAW - 1)

    def string_from(self, state: CairnState, player: int) -> str:
        """The state as text; it is the same for both players."""
        return str(state)


pyspiel.register_game(GAME_TYPE, CairnGame)
