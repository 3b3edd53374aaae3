"""Moments, their legal tokens, and the network that judges them."""

from collections.abc import Iterator
from typing import TypeAlias, overload

from cairn.vocabulary import Token

_Fault: TypeAlias = tuple[str, str, dict[str, bytes]]

class Network:
    """The weights of a trained evaluation."""

    def __init__(self, weights: bytes) -> None:
        """Read a file of weights. Raises ``ValueError`` if the bytes are not such a file."""

    @property
    def hash(self) -> int:
        """A number that identifies the weights."""

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
