"""The pages with the rules in four languages, and their drawings.

The texts are those of the web app, the boards are its examples, and ``cairn.svg`` draws them.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from cairn import MEGALITHS, Board, Megalith, Token, Variant, read_token, svg
from cairn.messages import LANGUAGES
from cairn.server.web import lessons

ROOT: Final = Path(__file__).parents[2]
MESSAGES: Final = ROOT / "web" / "src" / "messages"
CHAPTERS: Final = {
    "B": "the-board-b",
    "S": "setup-s",
    "T": "a-turn-t",
    "A": "actions-a",
    "E": "leaving-the-field-and-constructing-e",
    "P": "activating-a-megalith-p",
    "X": "transformation-x",
    "G": "the-end-of-the-game-g",
}
"""The chapter of ``docs/rules.md`` for the letter in a rule's number."""


def read_texts() -> Mapping[str, Any]:
    """The text of the rules in all languages, from the web app's modules."""
    command = [str(ROOT / ".venv" / "bin" / "node"), str(Path(__file__).parent / "rule_texts.mjs")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    texts: dict[str, Any] = json.loads(ran.stdout)
    return texts


def read_messages(language: str) -> dict[str, str]:
    """The web app's messages about the rules, and the titles of its pages."""
    messages: dict[str, str] = {}
    for area in ("common", "learn"):
        messages |= json.loads((MESSAGES / f"{area}.{language}.json").read_text(encoding="utf-8"))
    return messages


class RulesPage:
    """Writes the page in one language as Markdown."""

    def __init__(self, language: str, texts: Mapping[str, Any]) -> None:
        self._language: Final = language
        self._sections: Final[Sequence[Mapping[str, Any]]] = texts["sections"]
        self._ruling_rules: Final[Mapping[str, Sequence[str]]] = texts["rulings"]
        self._text: Final[Mapping[str, Any]] = texts["languages"][language]
        self._messages: Final = read_messages(language)

    def write(self) -> str:
        """The whole page."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield f"---\nlang: {self._language}\n---"
        yield f"# {self._messages['common.title.learn']}\n"
        yield self._messages["learn.intro"] + "\n"
        yield f"## {self._messages['learn.minute']}\n"
        yield from (f"{number}. {self._rich(each)}" for number, each in enumerate(self._text["summary"], 1))
        for section in self._sections:
            yield from self._section(section)
        yield f"\n## {self._messages['common.title.megaliths']}\n"
        yield self._messages["learn.gallery.intro"] + "\n"
        for variant in Variant:
            yield f"### {self._messages[f'learn.set.{variant.value}']}\n"
            yield self._messages[f"learn.set.{variant.value}.text"] + "\n"
            for megalith in MEGALITHS.values():
                if megalith.smallest_variant is variant:
                    yield from self._megalith(megalith)

    def _section(self, section: Mapping[str, Any]) -> Iterator[str]:
        text = self._text["sections"][section["id"]]
        yield f"\n## {text['title']}\n"
        yield from self._points(text["points"], section["rules"])
        yield ""
        for name in section["lines"]:
            code = name.removeprefix("megalith-")
            title = self._name(code) if code in MEGALITHS else self._text["examples"][name]
            yield from self._board(name, title)

    def _megalith(self, megalith: Megalith) -> Iterator[str]:
        code = megalith.code
        yield f"({code.lower()}-{self._language})="
        yield f"#### {self._name(code)}\n"
        yield f"![{self._name(code)}](drawings/stone-{code}.svg){{.cairn-stone}}\n"
        yield megalith.powers[self._language] + "\n"
        yield from self._points(self._text["rulings"][code], self._ruling_rules[code])
        yield ""
        yield from self._board(f"megalith-{code}", self._name(code))

    def _points(self, sentences: Sequence[str], rules: Sequence[str]) -> Iterator[str]:
        for sentence, rule in zip(sentences, rules, strict=True):
            yield f"- {self._rich(sentence)}{self._rule(rule)}"

    def _board(self, name: str, title: str) -> Iterator[str]:
        """A drawing of the last position, which the page's script replaces by a board that plays the line."""
        yield f'<div class="cairn-board" data-line="{name}">\n'
        yield f"![{title}](drawings/{name}.svg)\n"
        yield f'<p class="cairn-title">{title}</p>\n\n</div>\n'

    def _rich(self, sentence: str) -> str:
        """A sentence in which ``{DR}`` stands for the name of a megalith. ``**`` means the same in Markdown."""
        return re.sub(
            r"\{([A-Z]{2})\}", lambda found: f"[{self._name(found[1])}](#{found[1].lower()}-{self._language})", sentence
        )

    def _rule(self, rule: str) -> str:
        return f" [{rule}](../docs/rules.md#{CHAPTERS[rule[0]]}){{.cairn-rule}}" if rule else ""

    def _name(self, code: str) -> str:
        return MEGALITHS[code].names[self._language]


def drawings() -> Iterator[tuple[str, str]]:
    """The drawings on these pages: name and SVG. Each shows the end of a line, with the last turn marked."""
    for lesson in lessons.lessons():
        board = Board(lesson.position)
        turn: list[Token] = []
        for token in lesson.tokens:
            if not board.turn_tokens:
                turn.clear()
            board.push(token)
            turn.append(read_token(token))
        yield lesson.name, svg.board(board.setup, last=turn)
    for megalith in MEGALITHS.values():
        yield f"stone-{megalith.code}", svg.megalith(megalith)


def lines() -> str:
    """What the boards on the pages play, and the labels of their buttons in all languages, as JSON."""
    played = {name: view.model_dump(mode="json") for name, view in lessons.lines().items()}
    played["home"] = lessons.home().model_dump(mode="json")
    boards = {
        name: {
            "start": line["start"],
            "steps": [{"effects": step["effects"], "position": step["position"]} for step in line["steps"]],
        }
        for name, line in played.items()
    }
    labels = {
        language: {
            key: read_messages(language)[f"learn.board.{key}"]
            for key in ("previous", "next", "replay", "pause", "step", "steps")
        }
        for language in LANGUAGES
    }
    return json.dumps({"boards": boards, "labels": labels}, ensure_ascii=False)


def write_pages(folder: Path) -> None:
    """Write the pages and their drawings into the folder."""
    texts = read_texts()
    (folder / "drawings").mkdir(parents=True)
    for language in LANGUAGES:
        (folder / f"{language}.md").write_text(RulesPage(language, texts).write(), encoding="utf-8")
    for name, drawing in drawings():
        (folder / "drawings" / f"{name}.svg").write_text(drawing, encoding="utf-8")
