"""The links that a seat reveals in a game with sealed draws, and when it may reveal them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cairn.fairness import UNKNOWN_START, link_of, new_root
from cairn.game import Game
from cairn.record import Record
from cairn.vocabulary import Draw, Phase


class DeceivedError(Exception):
    """The server showed a different game than before, or asked for a link too early. The message gives the details."""


class Links:
    """One seat's hash chain. The rules determine which link is due, not the server's request."""

    def __init__(self, game: str, root: bytes | None = None) -> None:
        self._game: Final = game
        self._root: Final = root or new_root()
        self.anchor: Final = link_of(self._root, 0, game).hex()
        """The number to send when accepting the challenge."""
        self._revealed: Final[list[str]] = []
        """For each revealed link, the game as the server showed it when the link was revealed."""

    def due(self, view: Mapping[str, Any]) -> str | None:
        """The link that the starting position or a draw is waiting for, if any. It may have been revealed before.

        Raises :class:`DeceivedError` if revealing it would let the server know a draw in advance.
        """
        now = view["now"]
        if now["outcome"] or not set(view["you"]) & set(now["owed"]):
            return None
        number, shown = _awaited(view)
        if number > len(self._revealed) + 1:
            raise DeceivedError(
                f"the server asked for link {number}, but the number of links due so far is {len(self._revealed)}"
            )
        if number > len(self._revealed):
            self._revealed.append(shown)
        elif self._revealed[number - 1] != shown:
            raise DeceivedError(f"the server showed a different game than the one for which link {number} was revealed")
        return link_of(self._root, number, self._game).hex()

    def objections(self, record: Record) -> list[str]:
        """The differences between a record and the games for which links were revealed, as sentences."""
        found, history, drawn = [], record.game.start_text, [_anchors_in(record.headers)]
        board = Game(record.game.start_text)
        for token in record.game.tokens:
            if isinstance(token, Draw) and board.board.setup.deck.unknown:
                drawn.append(history)
            board.push(token)
            history += f" {token}"
        if board.phase is Phase.DRAW:  # the game ended while a tile was waiting to be drawn
            drawn.append(history)
        for number, shown in enumerate(self._revealed, start=1):
            if number > len(drawn) or drawn[number - 1] != shown:
                found.append(f"link {number} was revealed for a different game than the one in the record")
        return found


def _awaited(view: Mapping[str, Any]) -> tuple[int, str]:
    """The number of the link that is due by the rules, and a string that identifies the game at this moment."""
    tokens = [step["token"] for step in view["steps"]]
    if view["start"] == UNKNOWN_START and not tokens:
        proof = view["proof"]
        return 1, f"{proof['commitment']} {proof['forest_number']} {proof['sea_number']}"
    game = Game(view["start"], tokens)
    left = len(game.board.setup.deck.unknown)
    if game.phase is not Phase.DRAW or not left or view["now"]["held"]:
        raise DeceivedError("the server asked for a link, but no random draw is due")
    drawn = len(Game(view["start"]).board.setup.deck.unknown) - left
    return 2 + drawn, " ".join([game.start_text, *tokens])


def _anchors_in(headers: Mapping[str, str]) -> str:
    return " ".join(headers.get(name, "") for name in ("Commitment", "ForestNumber", "SeaNumber"))
