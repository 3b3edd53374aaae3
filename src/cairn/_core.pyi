"""The native core. Private: use :class:`cairn.Board`.

Two builds of it are installed, ``_core`` for every machine and ``_core_v3`` for x86-64-v3; ``cairn._native`` chooses.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Self, overload

from cairn.vocabulary import Token

def runs_v3() -> bool:
    """Whether this machine can run the ``_core_v3`` build."""

def weights() -> list[int]:
    """What each feature of the estimate is worth."""

def set_weights(weights: Sequence[int]) -> None:
    """Use other weights in this process from now on; for tuning. Not while a search runs."""

def play_itself(starts: Sequence[str], nodes: int, seed: int) -> bytes:
    """Play one game from each start with that many nodes a decision; what tuning needs to know of its turns.

    Each turn is a row of 16-bit integers: the features, the search's score, and the result for the player to move.
    """

class LegalMoves:
    """The legal tokens of one moment, in ASCII order. A snapshot: later pushes do not change it."""

    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __getitem__(self, index: int, /) -> Token: ...
    def __contains__(self, token: Token | str, /) -> bool: ...
    def __iter__(self) -> Iterator[Token]: ...
    def count(self) -> int:
        """How many there are."""

class Moments:
    """A moment and the tokens that led to it."""

    @overload
    def __init__(self, text: str) -> None:
        """Start at a position; ``ValueError`` without further words if the text is none."""

    @overload
    def __init__(self, other: Self) -> None:
        """Copy the moment and its history."""

    def push(self, token: Token | str) -> None:
        """Play a token; :class:`~cairn.CairnError` says why it cannot be played."""

    def pop(self) -> Token:
        """Take the last token back and return it; ``IndexError`` if none was pushed."""

    def peek(self) -> Token:
        """The last token pushed; ``IndexError`` if there is none."""

    def forget_history(self) -> None:
        """Drop what was played before this turn; it can then not be popped any more."""

    @property
    def legal_moves(self) -> LegalMoves:
        """The tokens that can be pushed now, in ASCII order; empty when the game is over."""

    @property
    def text(self) -> str:
        """The seven fields as they stand now, also inside a turn."""

    @property
    def turn_start(self) -> str:
        """The position at the start of this turn, or of the turn that ended the game."""

    @property
    def turn_tokens(self) -> tuple[Token, ...]:
        """The tokens played since :attr:`turn_start`."""

    @property
    def history(self) -> tuple[Token, ...]:
        """All tokens pushed and not popped."""

    @property
    def key(self) -> int:
        """A 64-bit number that identifies the moment; equal moments have equal keys."""

    @property
    def phase_number(self) -> int:
        """The index of the phase in :class:`cairn.Phase`."""

    @property
    def decider_number(self) -> int:
        """0 Forest, 1 Sea, 2 chance, 3 nobody."""

    @property
    def winner_number(self) -> int:
        """0 nobody, 1 Forest, 2 Sea."""

    @property
    def active_number(self) -> int:
        """0 Forest, 1 Sea."""

    @property
    def power_code(self) -> str | None:
        """The code of the megalith whose power is being applied, in phase POWER."""

    @property
    def focus_name(self) -> str | None:
        """The space where that megalith stands, or where one is to be built, in phases POWER and BUILD."""

    def estimate(self) -> int:
        """What the position seems worth to the active player without looking ahead, in hundredths of a megalith."""

    def features(self) -> list[int]:
        """The counts that the estimate is a weighted sum of; for tuning."""

    def same_moment(self, other: Moments) -> bool:
        """Whether both stand at the same moment, whatever led there."""

    def is_ok(self) -> bool:
        """Whether the moment is consistent in itself; for tests."""

    def perft(self, depth: int) -> int:
        """The number of token sequences of that length from here."""

    def random_playouts(self, games: int, seed: int, limit: int = 100_000) -> tuple[int, list[int]]:
        """Play random games from here, each of at most ``limit`` tokens.

        Returns the tokens played in all and the number of games that ended with no winner, Forest's win, Sea's win.
        """

class Engine:
    """A transposition table and the threads that search with it."""

    def __init__(self, megabytes: int, threads: int) -> None:
        """A table of at most that size."""

    def search(
        self,
        moments: Moments,
        nodes: int,
        depth: int,
        lines: int,
        milliseconds: int,
        report: Callable[[int, list[tuple[int, int, tuple[Token, ...]]]], object] | None,
    ) -> list[tuple[int, int, tuple[Token, ...]]]:
        """The best lines from here, best first, each as score, depth and tokens; zero is no limit.

        ``report`` is called after every finished depth with the nodes so far and the lines. Releases the GIL.
        ``ValueError`` where no tribe decides. With one thread and no time limit the answer is always the same, if
        :meth:`clear` was called before.
        """

    def arm(self) -> None:
        """Take an earlier :meth:`stop` back; call it before every search."""

    def stop(self) -> None:
        """End the running search soon. Any thread may call it."""

    def clear(self) -> None:
        """Forget everything found so far."""

    def resize(self, megabytes: int) -> None:
        """Another size of the table; forgets everything."""

    def set_threads(self, threads: int) -> None:
        """How many threads the next search uses."""

    @property
    def nodes(self) -> int:
        """How many tokens the last or running search has played."""

class Solver:
    """Proves forced wins, with a table of what it has proven."""

    def __init__(self, megabytes: int) -> None:
        """A table that grows up to that size."""

    def solve(self, moments: Moments, turns: int, nodes: int) -> tuple[int, int, tuple[Token, ...], int]:
        """The shortest forced win of either tribe within ``turns`` turns, the current one counted.

        Returns the verdict for whoever decides (at a draw: the active player), the turns, the line and the tokens
        played. Verdict 0 is a win and 1 a loss in exactly so many turns, 2 neither within so many turns, 3 unknown
        beyond so many turns, because of the limit or :meth:`stop`. No ``nodes`` is no limit. Releases the GIL; not for
        two callers at once.
        ``ValueError`` when the game is over or ``turns`` is not from 1 to 20.
        """

    def prove(self, moments: Moments, tribe_number: int, turns: int, nodes: int) -> list[tuple[int, int, Token | None]]:
        """Every moment of the proof that the tribe wins within ``turns`` turns; nothing if there is no proof.

        Each is the moment's key, the turns to the win, and where the winner decides the token that wins; elsewhere
        every legal token leads to a moment of the proof.
        """

    def arm(self) -> None:
        """Take an earlier :meth:`stop` back."""

    def stop(self) -> None:
        """End the running call soon. Any thread may call it."""

def wins_exhaustively(moments: Moments, tribe_number: int, turns: int, nodes: int) -> bool | None:
    """Whether the tribe wins by force within ``turns`` turns, found out by plainly trying everything.

    A yardstick for :class:`Solver`. It knows no repetition (G3). ``None`` when ``nodes`` tokens did not suffice.
    """
