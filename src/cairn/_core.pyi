"""The native core. Private: use :class:`cairn.Board`.

Two builds are installed: ``_core`` runs on every machine, and ``_core_v3`` on x86-64-v3. ``cairn._native`` loads one.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias, overload

from cairn.vocabulary import Token

_Fault: TypeAlias = tuple[str, str, dict[str, bytes]]
_Outcome: TypeAlias = tuple[int, str]
_Header: TypeAlias = tuple[bytes, bytes]
_Note: TypeAlias = tuple[int, Sequence[int], Sequence[bytes]]
_Contents: TypeAlias = tuple[str, list[Token], _Outcome | None, list[_Header], list[tuple[int, list[int], list[bytes]]]]
_Refusal: TypeAlias = tuple[str, str | None]
_Tribe: TypeAlias = Literal["forest", "sea"]
_Decider: TypeAlias = Literal["forest", "sea", "chance"]
_Phase: TypeAlias = Literal["action", "build", "draw", "power", "transform", "over"]
_Barrier: TypeAlias = Literal["drawn", "nothing", "other", "over"] | None
_Step: TypeAlias = tuple[str, _Decider, _Tribe, int, _Phase, tuple[int, ...], str]
_Option: TypeAlias = tuple[str, bool, bool]
_Consequence: TypeAlias = tuple[str, tuple[int, ...], _Tribe | None, list[str], list[list[str]], list[_Option], bool]
_Table: TypeAlias = tuple[str, int, _Tribe, _Phase, _Decider | None, str | None, str | None, bool, list[int]]
_Line: TypeAlias = tuple[int, int, tuple[Token, ...]]
_Report: TypeAlias = Callable[[int, list[_Line]], object]
_Now: TypeAlias = tuple[*_Table, list[_Consequence], _Tribe | None, _Barrier, _Barrier]

LEVEL_MEGABYTES: int
"""The table size, in megabytes, that :meth:`Engine.play_level` requires."""

def runs_v3() -> bool:
    """Whether this machine can run the ``_core_v3`` build."""

def levels() -> list[tuple[int, int, int, float, int]]:
    """The nodes, sight, lines, temperature and cap of each level, starting with level 1."""

class Network:
    """The weights of a trained evaluation."""

    def __init__(self, weights: bytes) -> None:
        """Read a file of weights. Raises ``ValueError`` if the bytes are not such a file."""

    @property
    def hash(self) -> int:
        """A number that identifies the weights."""

def network_layout() -> tuple[int, int, list[int], list[int]]:
    """The number of sums, the most inputs that can be 1, and where each input is in the other view and mirrored."""

def self_play(
    path: str, games: int, nodes: int, seed: int, shard: int, network: Network | None, report: Callable[[int], bool]
) -> int:
    """Play against itself until the file has this many games; return how many it has. Continues an existing file.

    Calls ``report`` with the number of games so far, which ends the run by returning false. Releases the GIL. Raises
    ``RuntimeError`` if the file was written with other settings.
    """

def training_samples(games: bytes) -> bytes:
    """Turn a file of self-play games into samples; :mod:`cairn.training.samples` has their layout."""

def describe_choice(
    choice: int,
) -> tuple[str, Literal["add", "move", "jump"] | None, list[list[str]], str | None, Literal["shaman", "megalith"]]:
    """Describe a choice from :meth:`Moments.choices`: its token, action tile, paths, power and aim."""

def describe_effect(effect: int) -> tuple[str, dict[str, str | int | None]]:
    """Describe an effect from :meth:`Moments.story`: its kind, and its fields by name."""

def position_faults(text: bytes, whole: bool) -> list[_Fault]:
    """The faults in a UTF-8 position text, in field order, each as kind, field and details.

    If ``whole`` is false, only unreadable fields are listed. :mod:`cairn.notation.faults` turns faults into sentences.
    """

def read_record(text: bytes, strictly_utf8: bool) -> tuple[list[_Fault], _Contents | None]:
    """Read a record and replay its game. Returns the faults and, if there are none, the contents.

    The contents are the start, the tokens, a declared outcome (winner number and reason), the headers that are not
    derived from the game, and the notes (token index, marks and comments). If ``strictly_utf8`` is false, the text may
    contain encoded surrogates, which are reported as separate faults.
    """

def write_record(
    moments: Moments, declared: _Outcome | None, headers: Sequence[_Header], notes: Sequence[_Note]
) -> tuple[list[_Fault], bytes]:
    """Write the canonical text of a record. Returns the faults and, if there are none, the text."""

class LegalMoves:
    """A snapshot of the legal tokens at one moment, in ASCII order. Later pushes do not change it."""

    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __getitem__(self, index: int, /) -> Token: ...
    def __contains__(self, token: Token | str, /) -> bool: ...
    def __iter__(self) -> Iterator[Token]: ...
    def count(self) -> int:
        """The number of legal tokens."""

class Moments:
    """A moment, with the tokens that led to it."""

    @overload
    def __init__(self, text: str) -> None:
        """Start at a position. Raises a plain ``ValueError`` if the text is not valid."""

    @overload
    def __init__(self, other: Moments) -> None:
        """Copy the moment and its history."""

    def push(self, token: Token | str) -> None:
        """Play a token. Raises :class:`~cairn.CairnError` if it cannot be played."""

    def pop(self) -> Token:
        """Take back the last token and return it. Raises ``IndexError`` if there is none."""

    def peek(self) -> Token:
        """The last token pushed. Raises ``IndexError`` if there is none."""

    def forget_history(self) -> None:
        """Drop the tokens before this turn, so that they can no longer be popped."""

    def refusal(self, token: bytes) -> _Fault | None:
        """Why a UTF-8 token cannot be pushed, as kind, field and details; ``None`` if it can be pushed."""

    @property
    def is_repetition(self) -> bool:
        """Whether the position at the start of this turn has occurred for the third time in the history (G3)."""

    @property
    def legal_moves(self) -> LegalMoves:
        """The tokens that can be pushed now, in ASCII order; empty when the game is over."""

    def choices(self) -> list[int]:
        """The choices of the deciding tribe as numbers for :func:`describe_choice`, ordered by token.

        Equal numbers have equal descriptions. Empty while chance decides and when the game is over.
        """

    def story(self, drawn: bool) -> tuple[int, ...]:
        """The effects of the last token as numbers for :func:`describe_effect`, in order of occurrence.

        ``drawn`` says whether the token ended the game by repetition. Equal numbers have equal descriptions. Raises
        ``IndexError`` if no token has been pushed.
        """

    @property
    def text(self) -> str:
        """The current seven fields of the position, even in the middle of a turn."""

    @property
    def turn_start(self) -> str:
        """The position at the start of this turn or, if the game is over, of the turn that ended it."""

    @property
    def turn_tokens(self) -> tuple[Token, ...]:
        """The tokens played since :attr:`turn_start`."""

    @property
    def history(self) -> tuple[Token, ...]:
        """All tokens that have been pushed and not popped."""

    @property
    def key(self) -> int:
        """A 64-bit number that identifies the moment. Equal moments have equal keys."""

    @property
    def phase_number(self) -> int:
        """The index of the phase in :class:`cairn.Phase`."""

    @property
    def decider_number(self) -> int:
        """Who decides: 0 is Forest, 1 is Sea, 2 is chance, 3 is nobody."""

    @property
    def winner_number(self) -> int:
        """Who has won: 0 is nobody, 1 is Forest, 2 is Sea."""

    @property
    def active_number(self) -> int:
        """Whose turn it is: 0 is Forest, 1 is Sea."""

    @property
    def points(self) -> tuple[int, int]:
        """The scores of Forest and Sea."""

    @property
    def power_code(self) -> str | None:
        """In phase POWER, the code of the megalith whose power is being applied."""

    @property
    def focus_name(self) -> str | None:
        """In phase POWER, the space of the activated megalith; in phase BUILD, the space to build on."""

    def estimate(self, network: Network | None = None) -> int:
        """The network's or the hand-made evaluation for the active player, in hundredths of a megalith."""

    def same_moment(self, other: Moments) -> bool:
        """Whether both are at the same moment, no matter which tokens led to it."""

    def is_ok(self) -> bool:
        """Whether the moment's data is consistent. Used in tests."""

    def perft(self, depth: int) -> int:
        """The number of token sequences of length ``depth`` from here."""

    def random_playouts(self, games: int, seed: int, limit: int = 100_000) -> tuple[int, list[int]]:
        """Play random games from here, each of at most ``limit`` tokens.

        Returns the number of tokens, and the numbers of games without a winner, won by Forest and won by Sea.
        """

class SeatedGame:
    """A game between two seats, with held turns, draws and undo.

    A step is a tuple: the token, its decider, the active tribe, the number of the turn, the phase, the numbers of its
    effects and the position after it. A refusal is a kind and the tribe that has to decide or confirm, if any.
    """

    def __init__(
        self, moments: Moments, declared: _Outcome | None, levels: tuple[int, int], online: bool, rated: bool
    ) -> None:
        """Start at a copy of ``moments``. ``levels`` are the computer's levels for Forest and Sea; 0 means a person."""

    @property
    def moments(self) -> Moments:
        """A copy of the current moment, with its history."""

    @property
    def declared_code(self) -> _Outcome | None:
        """The declared outcome, as the number of the winner and the reason."""

    @property
    def outcome_code(self) -> _Outcome | None:
        """The outcome, in the form of :attr:`declared_code`; ``None`` while the game is in progress."""

    @property
    def is_over(self) -> bool:
        """Whether the game has an outcome."""

    @property
    def text(self) -> str:
        """The current position."""

    @property
    def phase_number(self) -> int:
        """The index of the phase in :class:`cairn.Phase`; when the game is over, the index of ``OVER``."""

    @property
    def decider_number(self) -> int:
        """Who decides: 0 is Forest, 1 is Sea, 2 is chance, 3 is nobody (the game is over)."""

    @property
    def held_name(self) -> _Tribe | None:
        """The tribe that has to confirm its completed turn or the next tile draw; ``None`` if nothing is held."""

    @property
    def to_move_name(self) -> _Tribe | None:
        """The tribe that has to decide or confirm; ``None`` when the game is over."""

    @property
    def computer_level(self) -> int:
        """The computer's level, if it has to decide now; otherwise 0."""

    @property
    def turn(self) -> int:
        """The number of the current turn, starting at 1. If the game has ended on the board, this is the last turn."""

    @property
    def revision(self) -> int:
        """The number of stored events."""

    @property
    def board_revision(self) -> int:
        """The last revision that changed the board, the held turn or the held draw."""

    def advance(self, events: int, changed_board: bool) -> None:
        """Advance the revision after events have been stored."""

    def is_stale(self, revision: int) -> bool:
        """Whether a command with this revision was sent by a client that had not seen the current board."""

    def now(self) -> _Now:
        """Describe the current moment.

        Returns the fields of :class:`cairn.server.messages.games.MomentView` from the position to the consequences,
        then the tribe that has to confirm, and why a step and a turn cannot be taken back (``None`` if they can).
        """

    def undoable(self, whole_turn: bool) -> int:
        """How many tokens can be taken back without the other player's consent; 0 if none."""

    def takeback(self, tribe: str, whole_turn: bool) -> int:
        """How many tokens can be taken back with the other player's consent; 0 if none."""

    def refuse_play(self, tribe: str, revision: int) -> _Refusal | None:
        """Why a person may not play for the tribe now; ``None`` if they may."""

    def refuse_computer(self, revision: int) -> _Refusal | None:
        """Why the computer may not play the token that it chose at this revision; ``None`` if it may."""

    def refuse_undo(self, tribe: str | None, whole_turn: bool, revision: int) -> _Refusal | None:
        """Why the tribe may not take back a step or turn; ``None`` if it may."""

    def refuse_confirm(self, tribe: str | None, revision: int) -> _Refusal | None:
        """Why the tribe may not confirm now; ``None`` if it may."""

    def play_token(self, token: bytes, hold: bool, key: bytes) -> tuple[_Fault | None, list[_Step]]:
        """Play a token, and draw a tile if one is due. Returns the fault if the token is refused, and the new steps."""

    def draw_tiles(self, key: bytes) -> list[_Step]:
        """Draw tiles while chance decides and nothing is held."""

    def take_back(self, tokens: int) -> bool:
        """Take back the last ``tokens`` tokens. Returns false if fewer have been played."""

    def declare(self, outcome: _Outcome | None) -> bool:
        """Declare how the game ended. Returns false if it cannot end that way."""

    def follow_token(self, token: bytes, hold: bool) -> tuple[_Fault | None, list[_Step]]:
        """Play a token from a log, in which draws are separate tokens. Returns the fault, if any, and the new step."""

    def follow_confirmation(self) -> None:
        """Confirm the held turn or draw, without drawing a tile."""

class Engine:
    """A multithreaded search with a transposition table."""

    def __init__(self, megabytes: int, threads: int, network: Network | None = None) -> None:
        """Create an engine with a table of at most ``megabytes`` megabytes. Levels do not use the network."""

    def search(
        self, moments: Moments, nodes: int, depth: int, lines: int, milliseconds: int, report: _Report | None
    ) -> list[_Line]:
        """Find the best lines, best first, each as score, depth and tokens. A limit of 0 means no limit.

        Calls ``report`` after every finished depth with the number of nodes so far and the lines. Releases the GIL.
        Raises ``ValueError`` if no tribe decides. The result is deterministic with one thread, no time limit, and a
        call to :meth:`clear` before the search.
        """

    def play_level(
        self, moments: Moments, level: int, seed: int, nodes: int, depth: int, milliseconds: int
    ) -> tuple[int, int, tuple[Token, ...], int]:
        """Choose a token at a level, using up to three searches. Returns score, depth, tokens and the total nodes.

        ``nodes`` and ``depth`` limit the level further, and ``milliseconds`` its searches together; 0 means no limit.
        The engine must have one thread and a table of :data:`LEVEL_MEGABYTES`. The result then depends only on the
        moment, the seed, and the positions that have occurred twice. Clears the table and releases the GIL. Raises
        ``ValueError`` if there is no such level or no tribe decides.
        """

    def arm(self) -> None:
        """Undo an earlier :meth:`stop`. Call this before every search and every decision."""

    def stop(self) -> None:
        """Ask the running search to stop. It ends soon afterwards. Any thread may call this method."""

    def clear(self) -> None:
        """Clear the table."""

    @property
    def nodes(self) -> int:
        """The number of tokens that the current search has played, or the last search if none is running."""

class Solver:
    """Proves forced wins, with a table of proven results."""

    def __init__(self, megabytes: int) -> None:
        """Create a solver with a table that grows to at most ``megabytes`` megabytes."""

    def solve(self, moments: Moments, turns: int, nodes: int) -> tuple[int, int, tuple[Token, ...], int]:
        """Find the shortest forced win of either tribe within ``turns`` turns, including the current one.

        Returns the verdict, a number of turns, the line and the number of tokens played. The verdict is for the
        decider, or for the active player when chance decides. 0 is a win and 1 a loss in exactly the returned number of
        turns. 2 means that neither exists within that number of turns. 3 means the same, but the search reached its
        limit or was stopped before it knew more. If ``nodes`` is 0, there is no limit. Releases the GIL. Do not call it
        from two threads at once. Raises ``ValueError`` if the game is over or ``turns`` is not between 1 and 20.
        """

    def prove(self, moments: Moments, tribe_number: int, turns: int, nodes: int) -> list[tuple[int, int, Token | None]]:
        """List the moments in the proof that the tribe wins within ``turns`` turns; empty if there is no proof.

        Each item is the key of the moment, the turns to the win, and the winning token if the winner decides; otherwise
        every legal token leads to another moment in the proof.
        """

    def arm(self) -> None:
        """Undo an earlier :meth:`stop`."""

    def stop(self) -> None:
        """Ask the running call to stop. It ends soon afterwards. Any thread may call this method."""

def wins_exhaustively(moments: Moments, tribe_number: int, turns: int, nodes: int) -> bool | None:
    """Whether the tribe can force a win within ``turns`` turns, by brute force.

    Used to test :class:`Solver`. Ignores repetition (G3). Returns ``None`` if ``nodes`` was too small.
    """
