"""The messages in the languages of the command line."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Final

from cairn.messages.format import Values, compile_message
from cairn.vocabulary import Megalith

LANGUAGES: Final = ("en", "fr", "de", "ru")
AREAS: Final = ("cli", "fault", "story")
"""The files of the catalogue. The web app shows ``fault`` and ``story`` too."""

_chosen = "en"


def language() -> str:
    """The current language. English, unless the command line has chosen another one."""
    return _chosen


def use_language(code: str) -> None:
    """Speak this language from now on. Raises ``ValueError`` if it is not one of :data:`LANGUAGES`."""
    global _chosen  # noqa: PLW0603  # one for the whole process: threads speak it too
    if code not in LANGUAGES:
        raise ValueError(f"not one of the languages {', '.join(LANGUAGES)}: {code!r}")
    _chosen = code


def system_language(environment: Mapping[str, str] = os.environ) -> str:
    """The first language of the system's locale that we speak, or else English.

    >>> system_language({"LANG": "de_AT.UTF-8"}), system_language({"LANG": "C.UTF-8"})
    ('de', 'en')
    >>> system_language({"LANGUAGE": "pt:fr", "LANG": "ru_RU"}), system_language({"LC_ALL": "C", "LANG": "ru_RU"})
    ('fr', 'en')
    """
    chosen = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), None)
    if chosen is None:
        chosen = _other_locale() if environment is os.environ else ""
    wanted = [] if chosen.partition(".")[0] in ("C", "POSIX") else [*environment.get("LANGUAGE", "").split(":"), chosen]
    for name in wanted:
        code = name.replace("-", "_").partition(".")[0].partition("_")[0].lower()
        if code in LANGUAGES:
            return code
    return "en"


def _other_locale() -> str:
    """The locale where the environment does not name one, as on Windows."""
    import locale

    return locale.getlocale()[0] or ""


@functools.cache
def messages(code: str) -> Mapping[str, str]:
    """All messages in a language, by key."""
    folder = resources.files("cairn.messages")
    found: dict[str, str] = {}
    for area in AREAS:
        found |= json.loads(folder.joinpath(f"{area}.{code}.json").read_text(encoding="utf-8"))
    return found


@functools.cache
def _compiled(key: str, code: str) -> Callable[[Values], str]:
    return compile_message(messages(code)[key], code)


def has(key: str) -> bool:
    """Whether there is a message with this key."""
    return key in messages("en")


def t(key: str, **values: object) -> str:
    """The message in the current language, with its arguments filled in."""
    return _compiled(key, language())(values)


def megalith_name(tile: Megalith) -> str:
    """The name of a megalith in the current language."""
    return tile.names[language()].replace("'", "\u2019")  # the table has the names as printed


def megalith_power(tile: Megalith) -> str:
    """A sentence about a megalith's power in the current language."""
    return tile.powers[language()]


def reason_key(reason: str) -> str:
    """The reason for the end of a game, as the messages spell it.

    >>> reason_key("no-action")
    'noAction'
    """
    first, *rest = reason.split("-")
    return first + "".join(word.capitalize() for word in rest)
