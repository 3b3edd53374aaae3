"""The native core. Private: use :class:`cairn.Board`.

Two builds are installed: ``_core`` runs on every machine, and ``_core_v3`` on x86-64-v3. ``cairn._native`` loads one.
"""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from cairn._stubs.encoding import ACTION_COUNT as ACTION_COUNT
from cairn._stubs.encoding import CHOICE_COUNT as CHOICE_COUNT
from cairn._stubs.encoding import ENCODING_VERSION as ENCODING_VERSION
from cairn._stubs.encoding import Batch as Batch
from cairn._stubs.encoding import id_of as id_of
from cairn._stubs.encoding import legal_ids as legal_ids
from cairn._stubs.encoding import legal_mask as legal_mask
from cairn._stubs.encoding import observation_groups as observation_groups
from cairn._stubs.encoding import observe as observe
from cairn._stubs.encoding import push_id as push_id
from cairn._stubs.encoding import token_groups as token_groups
from cairn._stubs.encoding import token_of as token_of
from cairn._stubs.moments import LegalMoves as LegalMoves
from cairn._stubs.moments import Moments as Moments
from cairn._stubs.moments import Network as Network
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

REVIEW_NODES: int

def runs_v3() -> bool:
    """Whether this machine can run the ``_core_v3`` build."""

def levels() -> list[tuple[int, int, int, float, int]]:
    """The nodes, sight, lines, temperature and cap of each level, starting with level 1."""

def network_layout() -> tuple[int, int, list[int], list[int], list[int], int]:
    """The numbers that describe a network.

    The number of sums, the most inputs that can be 1, where each input is in the other view and mirrored, the largest
    weight of each input, and the largest bias.
    """

def self_play(
    path: str,
    games: int,
    nodes: int,
    seed: int,
    shard: int,
    network: Network | None,
    report: Callable[[int], bool],
    even: bool = False,
) -> int:
    """Play against itself until the file has this many games; return how many it has. Continues an existing file.

    Some tokens are random, so that games differ. If ``even`` is true, none is: only the nodes of a decision vary, by up
    to a quarter. Calls ``report`` with the number of games so far, which ends the run by returning false. Releases the
    GIL. Raises ``RuntimeError`` if the file was written with other settings.
    """

def self_play_header(games: bytes) -> tuple[int, int, int, int, Literal["varied", "even"]]:
    """The seed, the hash of the network (0 for none), the nodes, the shard and the style of a file.

    Raises ``ValueError`` if it is not a file of self-play games.
    """

def self_play_games(games: bytes) -> list[tuple[int, str, list[Token], int, list[int | None]]]:
    """The complete games of a file: variant number, start, tokens, winner number (0 is nobody) and scores.

    A token has a score if a search chose it at the start of a turn. Other actions were random.
    """

def game_facts(games: bytes, network: Network | None, nodes: int) -> tuple[bytes, bytes]:
    """Facts about the games and about the choices of megaliths in a file; :mod:`cairn.balance.facts` has the layouts.

    Values come from searches of ``nodes`` nodes. Releases the GIL. Raises ``RuntimeError`` if the file is damaged.
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
        self,
        moments: Moments,
        nodes: int,
        depth: int,
        lines: int,
        most_ms: int,
        wanted_ms: int,
        report: _Report | None,
    ) -> list[_Line]:
        """Find the best lines, best first, each as score, depth and tokens. A limit of 0 means no limit.

        The search takes at most ``most_ms``. With ``wanted_ms``, it takes about that time: less if the best token stays
        the same from depth to depth, more if it changes.

        Calls ``report`` after every finished depth with the number of nodes so far and the lines. Releases the GIL.
        Raises ``ValueError`` if no tribe decides. The result is deterministic with one thread, no time limit, and a
        call to :meth:`clear` before the search.
        """

    def ponder_hit(self, most_ms: int, wanted_ms: int) -> None:
        """Give the running search, or the next one after :meth:`arm`, these limits, from now on. Thread-safe.

        The search ends at once if it has already taken ``wanted_ms``.
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

class Reviewer:
    """The review of a game, in units whose findings are texts; :mod:`cairn.engine.review` documents it."""

    def __init__(self, moments: Moments, winner_number: int | None, nodes: int) -> None: ...
    def search(self, unit: int) -> str: ...
    @property
    def weights(self) -> list[int]: ...
    def assemble(self, findings: Sequence[str]) -> str: ...
    def retry(self, index: int, token: Token | str) -> str: ...

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

    def turns_by_token(
        self, moments: Moments, tribe_number: int, turns: int, nodes: int
    ) -> list[tuple[Token, int | None]]:
        """Judge every legal token, in ASCII order, by the win that the tribe can force after it, whoever decides now.

        The number is the fewest turns, counting the current one; 0 if there is no win within ``turns`` turns, and
        ``None`` if the search reached its limit first. The tokens share the limit.
        """

    def arm(self) -> None:
        """Undo an earlier :meth:`stop`."""

    def stop(self) -> None:
        """Ask the running call to stop. It ends soon afterwards. Any thread may call this method."""

def wins_exhaustively(moments: Moments, tribe_number: int, turns: int, nodes: int) -> bool | None:
    """Whether the tribe can force a win within ``turns`` turns, by brute force.

    Used to test :class:`Solver`. Ignores repetition (G3). Returns ``None`` if ``nodes`` was too small.
    """

CERTAIN_CHANCE: int
"""The chance of a certain win in :func:`chances_by_token`."""

def chances_by_token(moments: Moments, tribe_number: int, turns: int, nodes: int) -> list[tuple[Token, int]] | None:
    """The exact chance, for every legal token, that the tribe wins within ``turns`` turns if both play for it.

    A chance is a number out of :data:`CERTAIN_CHANCE`. Ignores repetition (G3). Returns ``None`` if ``nodes`` was too
    small.
    """
