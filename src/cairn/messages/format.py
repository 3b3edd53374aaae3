"""The part of ICU MessageFormat that our messages use: arguments, ``select``, and ``plural`` with ``=n`` and ``#``.

The web app has the same in ``web/src/lib/i18n/format.ts``. A test formats every message with both and compares.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

Values: TypeAlias = Mapping[str, object]


@dataclasses.dataclass(frozen=True, slots=True)
class _Argument:
    name: str
    is_number: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class _Choice:
    kind: Literal["select", "plural"]
    name: str
    options: Mapping[str, tuple[_Part, ...]]


_Part: TypeAlias = "str | _Argument | _Choice"


def _east_slavic(number: int) -> str:
    last, last_two = number % 10, number % 100
    if last == 1 and last_two != 11:
        return "one"
    return "few" if last in (2, 3, 4) and last_two not in (12, 13, 14) else "many"


def _french(number: int) -> str:
    if number in (0, 1):
        return "one"
    return "many" if number % 1_000_000 == 0 else "other"


_PLURALS: Final[Mapping[str, Callable[[int], str]]] = {
    "en": lambda number: "one" if number == 1 else "other",
    "fr": _french,
    "de": lambda number: "one" if number == 1 else "other",
    "ru": _east_slavic,
}
"""The CLDR plural category of a whole number that is not negative, by language."""

_GROUPS: Final[Mapping[str, str]] = {"en": ",", "fr": "\u202f", "de": ".", "ru": "\u00a0"}
"""The character between groups of three digits."""


def plural_category(number: int, language: str) -> str:
    """The CLDR plural category of a whole number.

    >>> [plural_category(number, "ru") for number in (1, 2, 5, 11, 21)]
    ['one', 'few', 'many', 'many', 'one']
    """
    return _PLURALS[language](abs(number))


def number(value: object, language: str) -> str:
    """A whole number as the language writes it.

    >>> number(1234567, "de")
    '1.234.567'
    """
    return f"{int(str(value)):,}".replace(",", _GROUPS[language])


def compile_message(message: str, language: str) -> Callable[[Values], str]:
    """Parse a message once, so that it can be formatted many times. Raises ``ValueError`` if it is malformed."""
    parts = _Reader(message).parts(None)

    def fill(some: tuple[_Part, ...], values: Values) -> str:
        return "".join(one(part, values) for part in some)

    def one(part: _Part, values: Values) -> str:
        if isinstance(part, str):
            return part
        value = values.get(part.name, "")
        if isinstance(part, _Argument):
            return number(value, language) if part.is_number else str(value)
        chosen = part.options.get(str(value)) if part.kind == "select" else part.options.get(f"={value}")
        if chosen is None and part.kind == "plural":
            chosen = part.options.get(plural_category(int(str(value)), language))
        return fill(chosen if chosen is not None else part.options.get("other", ()), values)

    return lambda values: fill(parts, values)


_SPACES: Final = re.compile(r"\s*")
_NAME: Final = re.compile(r"[^,}]*")
_KEY: Final = re.compile(r"[^{}\s]*")


class _Reader:
    """Parses a message from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def parts(self, counted: str | None) -> tuple[_Part, ...]:
        """Parse everything up to the end or the closing brace. ``counted`` is the argument that # stands for."""
        found: list[_Part] = []
        words = ""
        while self._at < len(self._text) and self._text[self._at] != "}":
            sign = self._text[self._at]
            self._at += 1
            if sign != "{" and not (sign == "#" and counted):
                words += sign
                continue
            if words:
                found.append(words)
            words = ""
            found.append(self._argument(counted) if sign == "{" else _Argument(counted or "", is_number=True))
        return (*found, words) if words else tuple(found)

    def _argument(self, counted: str | None) -> _Argument | _Choice:
        name = self._word(_NAME)
        if self._take("}"):
            return _Argument(name)
        self._expect(",")
        kind = self._word(_NAME)
        self._expect(",")
        options: dict[str, tuple[_Part, ...]] = {}
        while not self._take("}"):
            key = self._word(_KEY)
            self._expect("{")
            options[key] = self.parts(name if kind == "plural" else counted)
            self._expect("}")
        match kind:
            case "select" | "plural":
                return _Choice(kind, name, options)
        raise ValueError(f"unknown argument type: {kind}")

    def _word(self, sign: re.Pattern[str]) -> str:
        self._skip(_SPACES)
        return self._skip(sign).strip()

    def _skip(self, sign: re.Pattern[str]) -> str:
        found = sign.match(self._text, self._at)
        if found is None:
            return ""
        self._at = found.end()
        return found.group()

    def _take(self, sign: str) -> bool:
        self._skip(_SPACES)
        if not self._text.startswith(sign, self._at):
            return False
        self._at += 1
        return True

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise ValueError(f"expected {sign} at index {self._at} of: {self._text}")
