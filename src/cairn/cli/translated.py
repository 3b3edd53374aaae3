"""The command-line framework in the user's language: its help pages and its errors.

The help texts of commands and options are message keys. They are replaced by the messages once the language is known,
because ``--help`` must already speak it. Typer has no hooks for its own words, so this module overrides the methods
that write them.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Sequence
from typing import Any, Final

import typer
import typer.core

from cairn.messages import LANGUAGES, has, system_language, t, use_language

OPTION: Final = "--lang"
VARIABLE: Final = "CAIRN_LANG"

# Newer versions of Typer contain Click, older ones import it. This works with both.
_CLICK_ERROR: Final[type[Exception]] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException" and issubclass(kind, Exception)
)

_WORDS: Final = {
    "Arguments": "cli.section.arguments",
    "Options": "cli.section.options",
    "Commands": "cli.section.commands",
    "required": "cli.required",
}


def _word(text: str) -> str:
    """Typer's own words on help pages, some of them templates for ``str.format``."""
    if text in _WORDS:
        return t(_WORDS[text])
    match text:
        case "default: {default}":
            return t("cli.default", value="{default}")
        case "env var: {var}":
            return t("cli.variable", value="{var}")
    return text


class _Help:
    """Overrides the methods of a command that write its help page."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        pieces: list[str] = self.collect_usage_pieces(ctx)  # type: ignore[attr-defined]
        formatter.write_usage(ctx.command_path, " ".join(pieces), prefix=t("cli.usage"))

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help = t("cli.show-help")
        return option


class Command(_Help, typer.core.TyperCommand):
    """A command whose help texts are message keys."""


class Group(_Help, typer.core.TyperGroup):
    """The program. It chooses the language before it does anything else."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the program and exit."""
        rest = _choose_language(list(sys.argv[1:] if args is None else args))
        _translate(self)
        try:
            code = super().main(rest, prog_name, complete_var, False, windows_expand_args, **extra)
        except typer.Abort:
            typer.echo(t("cli.aborted"), err=True)
            sys.exit(1)
        except _CLICK_ERROR as error:
            _show(error)
            sys.exit(getattr(error, "exit_code", 1))
        sys.exit(code if isinstance(code, int) else 0)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command, or fail with similar commands."""
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            near = ", ".join(difflib.get_close_matches(args[0], self.commands))
            ctx.fail(t("cli.no-command", command=args[0], near=near or "none"))
        return super().resolve_command(ctx, args)


def _choose_language(args: list[str]) -> list[str]:
    """Use the language of the option, the variable or the system, and return the other arguments."""
    use_language(system_language())
    chosen, rest = os.environ.get(VARIABLE), list(args)
    for at, text in enumerate(args):
        if text == "--":
            break
        if text == OPTION and args[at + 1 :]:
            chosen, rest = args[at + 1], [*args[:at], *args[at + 2 :]]
            break
        if text.startswith(f"{OPTION}="):
            chosen, rest = text.removeprefix(f"{OPTION}="), [*args[:at], *args[at + 1 :]]
            break
    if chosen:
        if chosen.lower() not in LANGUAGES:
            typer.echo(f"cairn: {t('cli.lang.unknown', value=chosen)}", err=True)
            sys.exit(2)
        use_language(chosen.lower())
    return rest


def _translate(group: Group) -> None:
    """Replace the keys in the help texts by messages."""
    setattr(typer.core, "_", _word)  # noqa: B010  # it is not part of Typer's interface
    group.help = t("cli.help")
    group.subcommand_metavar = t("cli.word.command")
    for command in (group, *group.commands.values()):
        command.options_metavar = t("cli.word.options")
        if command.help and has(command.help):
            command.help = t(command.help)
            command.short_help = command.help.partition("\n")[0].partition(". ")[0].rstrip(".") + "."
        for parameter in command.params:
            text = getattr(parameter, "help", None)
            if text and has(text):
                parameter.help = t(text)  # type: ignore[attr-defined]
            if parameter.metavar:
                parameter.metavar = metavar(parameter.metavar)


def metavar(text: str) -> str:
    """The name of a value in the current language: ``FILE.cairn`` becomes ``DATEI.cairn``."""
    return re.sub(r"[A-Z]{2,}", lambda found: t(key) if has(key := f"cli.metavar.{found[0]}") else found[0], text)


def _show(error: Any) -> None:
    """Print an error of the framework."""
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(error.format_message(), err=True)
        return
    context = getattr(error, "ctx", None)
    if context is not None:
        typer.echo(context.get_usage(), err=True)
        typer.echo(t("cli.try", command=f"{context.command_path} --help") + "\n", err=True)
    typer.echo(t("cli.error", text=_sentence(error)), err=True)


def _sentence(error: Any) -> str:
    """What is wrong, in the current language. Rare errors stay in English."""
    match type(error).__name__:
        case "NoSuchOption":
            near = ", ".join(sorted(error.possibilities or ()))
            return t("cli.no-option", option=error.option_name, near=near or "none")
        case "MissingParameter" if error.param is not None:
            return t("cli.missing", kind=error.param.param_type_name, what=_name(error.param))
        case "BadParameter" if error.param_hint:
            return t("cli.bad-value", what=error.param_hint, text=error.message)
        case "BadParameter" if error.param is not None:
            return t("cli.bad-value", what=_name(error.param), text=_expected(error))
        case "BadOptionUsage" if "requires" in error.message:
            return t("cli.needs-value", option=error.option_name)
        case "UsageError" if found := re.match(r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", error.message):
            return t("cli.extra", text=found[1])
    return str(error.format_message())


def _name(parameter: Any) -> str:
    """A parameter as the user knows it: ``--seed`` or ``FILE.cairn``."""
    if parameter.param_type_name == "option":
        return str(parameter.opts[-1])
    return str(parameter.metavar or parameter.name).rstrip(".")


def _expected(error: Any) -> str:
    """What a number may be. Only numbers are checked by the framework."""
    limits = error.param if hasattr(error.param, "min") else getattr(error.param, "type", None)
    low, high = getattr(limits, "min", None), getattr(limits, "max", None)
    if low is None:
        return str(error.message)
    return t("cli.bad-number", limits="low" if high is None else "both", min=low, max=high)
