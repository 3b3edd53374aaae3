"""A game in the terminal: prompts, commands, computer players and draws."""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cairn import MEGALITHS, Game, Outcome, Reason, Record, Token, Tribe, terminal, write_record
from cairn.cli import sentences
from cairn.cli.screen import print_board
from cairn.engine import Engine
from cairn.messages import reason_of, t
from cairn.vocabulary import Draw

if TYPE_CHECKING:
    from rich.console import Console

PERSON: Final = "guest"


class Quit(Exception):
    """The user quit."""


class TerminalGame:
    """A game, its players, and the terminal."""

    def __init__(
        self, screen: Console, game: Game, engines: Mapping[Tribe, Engine], below: Tribe, variant: str, seed: int | None
    ) -> None:
        self.screen: Final = screen
        self.game: Final = game
        self.engines: Final = engines
        """The engines of the computer players, by tribe. People play the other tribes."""
        self.below: Final = below
        """The tribe at the bottom of the board."""
        self.variant: Final = variant
        self.chance: Final = random.Random(seed)
        self.saved: Path | None = None

    def play(self) -> None:
        """Play until the game is over. Raises :class:`Quit` if the user quits."""
        self.draw_board()
        while self.game.outcome is None:
            if self._person_decides():
                self._ask()
            elif isinstance(decider := self.game.decider, Tribe):
                self._play_computer(decider)
            else:
                self._play(self.chance.choice(self.game.legal_moves), None)
        self.draw_board()
        self.say(sentences.ending(self.game))
        self._offer_to_save()

    def say(self, sentence: str) -> None:
        """Print a sentence."""
        self.screen.print(sentence)

    def draw_board(self) -> None:
        """Draw the board."""
        self.screen.print()
        print_board(self.screen, self.game, self.below)
        self.screen.print()

    def _person_decides(self) -> bool:
        decider = self.game.decider
        return isinstance(decider, Tribe) and decider not in self.engines

    def _play_computer(self, tribe: Tribe) -> None:
        with self.screen.status(t("cli.play.thinking", tribe=tribe.value)):
            played = self.engines[tribe].play(self.game)
        self._play(played.token, tribe)

    def _play(self, token: Token, tribe: Tribe | None) -> None:
        """Play a token for a computer player or, without a tribe, a draw."""
        text = terminal.describe(token, self.game.phase)
        self.game.push(token)
        if tribe is None:
            self.say(t("cli.play.drawn", token=token, text=text))
        else:
            self.say(t("cli.play.played", tribe=tribe.value, token=token, text=text))
        if self.game.outcome is None and self._person_decides():
            self.draw_board()

    def _tribe(self) -> Tribe:
        decider = self.game.decider
        if not isinstance(decider, Tribe):
            raise TypeError("no tribe decides now")
        return decider

    def _ask(self) -> None:
        """Print the question and the choices, and handle input until a token is played or taken back."""
        self.say(sentences.question(self.game))
        choices = self.game.legal_moves
        for number, token in enumerate(choices, start=1):
            self.say(f"{number:4}  {token!s:12} {terminal.describe(token, self.game.phase)}")
        while not self._hear(self.screen.input(f"{sentences.name(self._tribe())}> ").strip(), choices):
            pass

    def _hear(self, said: str, choices: Sequence[Token]) -> bool:
        """Handle a line of input and return whether the game has changed."""
        command, argument = _split(said)
        if command in _COMMANDS:
            return _COMMANDS[command](self, argument)
        if said.upper() in MEGALITHS:
            self.say(sentences.power(MEGALITHS[said.upper()]))
            return False
        chosen = _chosen(said, choices)
        if chosen is None:
            if said:
                self.say(t("cli.play.no-choice", said=said[:40], n=len(choices)))
            return False
        self.game.push(chosen)
        self.draw_board()
        return True

    def help(self, argument: str) -> bool:
        """List the commands."""
        self.say(t("cli.play.commands"))
        return False

    def undo(self, argument: str) -> bool:
        """Take back tokens up to and including a person's last choice, but not past a draw."""
        taken: list[Token] = []
        while self.game.tokens:
            taken.append(self.game.pop())
            if isinstance(taken[-1], Draw):
                break
            if self._person_decides():
                self.draw_board()
                return True
        for token in reversed(taken):
            self.game.push(token)
        self.say(t("cli.play.no-undo", why="drawn" if taken else "nothing"))
        return False

    def tiles(self, argument: str) -> bool:
        """Describe the megaliths in this game."""
        for line in sentences.powers(self.game.board.setup):
            self.say(line)
        return False

    def resign(self, argument: str) -> bool:
        """Resign."""
        self.game.end(Outcome(self._tribe().enemy, Reason.RESIGNATION))
        return True

    def save(self, argument: str) -> bool:
        """Save the game to a new file."""
        return self._save(argument, overwrite=False)

    def overwrite(self, argument: str) -> bool:
        """Save the game, overwriting the file."""
        return self._save(argument, overwrite=True)

    def _save(self, argument: str, *, overwrite: bool) -> bool:
        if not argument:
            self.say(t("cli.play.no-file"))
            return False
        path = Path(argument).expanduser()
        try:
            mode = "w" if overwrite or path == self.saved else "x"
            with path.open(mode, encoding="utf-8", newline="\n") as file:
                file.write(write_record(self._record()))
        except FileExistsError:
            self.say(t("cli.play.exists", path=path, argument=argument))
        except OSError as error:
            self.say(t("cli.play.cannot-write", path=path, why=reason_of(error)))
        else:
            self.saved = path
            self.say(t("cli.play.saved", path=path))
        return False

    def quit(self, argument: str) -> bool:
        """Quit the game."""
        raise Quit

    def redraw(self, argument: str) -> bool:
        """Draw the board again."""
        self.draw_board()
        return False

    def _offer_to_save(self) -> None:
        """Offer to save the finished game."""
        while True:
            command, argument = _split(self.screen.input(t("cli.play.save-prompt")).strip())
            if not command:
                return
            if command in ("save", "save!"):
                kept = self.saved
                self._save(argument, overwrite=command == "save!")
                if self.saved is not None and self.saved is not kept:
                    return
            elif command in _COMMANDS and _COMMANDS[command] is TerminalGame.quit:
                raise Quit
            else:
                self.say(t("cli.play.over"))

    def _record(self) -> Record:
        today = datetime.datetime.now().astimezone().strftime("%Y.%m.%d")
        players = {
            tribe.value.capitalize(): self.engines[tribe].name if tribe in self.engines else PERSON for tribe in Tribe
        }
        return Record(self.game, {"Variant": self.variant, **players, "Date": today})


_COMMANDS: Final[Mapping[str, Callable[[TerminalGame, str], bool]]] = {
    "help": TerminalGame.help,
    "?": TerminalGame.help,
    "undo": TerminalGame.undo,
    "tiles": TerminalGame.tiles,
    "save": TerminalGame.save,
    "save!": TerminalGame.overwrite,
    "board": TerminalGame.redraw,
    "resign": TerminalGame.resign,
    "quit": TerminalGame.quit,
    "exit": TerminalGame.quit,
    "q": TerminalGame.quit,
}


def _split(said: str) -> tuple[str, str]:
    """The command in lower case, and its argument."""
    command, _, argument = said.partition(" ")
    return command.lower(), argument.strip()


def _chosen(said: str, choices: Sequence[Token]) -> Token | None:
    """The choice with this number or text, ignoring case."""
    for number, token in enumerate(choices, start=1):
        if said.lower() in (str(number), str(token).lower()):
            return token
    return None
