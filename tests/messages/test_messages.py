"""The catalogue of messages: complete in every language, used, and formatted as in the web app."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from cairn.messages import LANGUAGES, messages, t, use_language
from cairn.messages.catalogue import AREAS
from cairn.messages.format import _Argument, _Choice, _Part, _Reader, compile_message, plural_category

FOLDER: Final = Path(__file__).parents[2] / "src" / "cairn" / "messages"
NODE: Final = Path(sys.executable).with_name("node")
NUMBERS: Final = (0, 1, 2, 3, 5, 11, 21, 22, 111, 1234, 1_000_000)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    use_language("en")


def parts_in(message: str) -> Iterator[_Part]:
    """All parts of a message, including those inside options."""

    def visit(parts: tuple[_Part, ...]) -> Iterator[_Part]:
        for part in parts:
            yield part
            if isinstance(part, _Choice):
                yield from itertools.chain.from_iterable(map(visit, part.options.values()))

    return visit(_Reader(message).parts(None))


def arguments_of(message: str) -> set[str]:
    return {part.name for part in parts_in(message) if not isinstance(part, str)}


def examples(message: str) -> list[dict[str, object]]:
    """Values that cover every option of a message."""
    values: dict[str, list[object]] = {}
    for part in parts_in(message):
        match part:
            case _Argument(name, is_number=False):
                values.setdefault(name, ["Ωmega {#}"])
            case _Choice("plural", name):
                values[name] = list(NUMBERS)
            case _Choice("select", name, options):
                values[name] = [*options]
    found = [dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values())]
    return found[:300]


def test_each_language_has_every_area_and_nothing_else() -> None:
    expected = {f"{area}.{language}.json" for area in AREAS for language in LANGUAGES}
    assert {path.name for path in FOLDER.glob("*.json")} == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_the_same_keys_and_arguments_as_english(language: str) -> None:
    assert [*messages(language)] == [*messages("en")]
    different = [
        key for key, message in messages(language).items() if arguments_of(message) != arguments_of(messages("en")[key])
    ]
    assert not different


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_are_those_of_the_language(language: str) -> None:
    forms = {plural_category(number, language) for number in NUMBERS} | {"other"}
    for key, message in messages(language).items():
        for part in parts_in(message):
            if isinstance(part, _Choice) and part.kind == "plural":
                named = {name for name in part.options if not name.startswith("=")}
                assert named <= forms, key
                assert "other" in named, key
                assert not named & {"few"} or "one" in named, key


def node(script: list[str], lines: list[str]) -> list[str]:
    if not NODE.exists():
        pytest.skip("Node is not installed")
    command = [str(NODE), "--no-warnings", *script]
    result = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True)
    return result.stdout.splitlines()


def test_messages_are_formatted_as_in_the_web_app() -> None:
    cases = [
        (language, message, values)
        for language in LANGUAGES
        for message in messages(language).values()
        for values in examples(message)
    ]
    lines = [json.dumps({"language": one, "message": text, "values": values}) for one, text, values in cases]
    theirs = node([str(Path(__file__).with_name("format_messages.ts"))], lines)
    ours = [compile_message(message, language)(values) for language, message, values in cases]
    assert len(theirs) == len(ours) > 1000
    assert [json.loads(line) for line in theirs] == ours


def test_plural_categories_and_numbers_are_those_of_cldr() -> None:
    numbers = [*range(130), 1000, 1001, 1_000_000, 2_000_000, 12_345_678]
    code = (
        "const [languages, numbers] = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "for (const l of languages) for (const n of numbers)"
        " console.log(new Intl.PluralRules(l).select(n) + ' ' + new Intl.NumberFormat(l).format(n));"
    )
    theirs = node(["-e", code], [json.dumps([LANGUAGES, numbers])])
    ours = [
        f"{plural_category(number, language)} {compile_message('{n, plural, other {#}}', language)({'n': number})}"
        for language in LANGUAGES
        for number in numbers
    ]
    assert theirs == ours


@pytest.mark.parametrize("message", ["{n", "{n, plural, one {#}", "{n, date, long}", "{n, select, a}"])
def test_a_malformed_message_is_rejected(message: str) -> None:
    with pytest.raises(ValueError, match=r"expected|unknown"):
        compile_message(message, "en")


def keys_in_sources() -> tuple[set[str], set[str]]:
    """The keys of the command line in the package, and the beginnings of keys that it constructs."""
    keys: set[str] = set()
    beginnings: set[str] = set()
    for path in FOLDER.parent.rglob("*.py"):
        for name, end in re.findall(r"""["'](cli\.[\w.-]*)(["']|\{)""", path.read_text(encoding="utf-8")):
            (beginnings if end == "{" else keys).add(name)
    return keys, beginnings


def test_every_message_of_the_command_line_is_used_and_every_used_message_exists() -> None:
    keys, beginnings = keys_in_sources()
    known = [key for key in messages("en") if key.startswith("cli.")]
    specific = tuple(start for start in beginnings if start != "cli.")
    commands = {f"cli.{name}" for name in command_names()}
    assert [key for key in known if key not in keys | commands and not key.startswith(specific)] == []
    assert sorted(keys - set(known)) == []
    assert [start for start in specific if not any(key.startswith(start) for key in known)] == []


def command_names() -> list[str]:
    from cairn.cli.app import app

    return [command.name or "" for command in app.registered_commands]


def test_a_message_speaks_the_chosen_language() -> None:
    sentences: Mapping[str, str] = {
        "en": "game.db contains 2 games.",
        "fr": "game.db contient 2 parties.",
        "de": "game.db enthält 2 Partien.",
        "ru": "game.db: 2 партии.",
    }
    for language, sentence in sentences.items():
        use_language(language)
        assert t("cli.backup.done", file="game.db", n=2) == sentence
    with pytest.raises(ValueError, match="not one of the languages"):
        use_language("pt")
