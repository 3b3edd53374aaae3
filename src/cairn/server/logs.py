"""How the server writes its log: for people, or as JSON, one object in a line, for programs.

What is done to accounts, by whom, is noted in both: by ids, and never with a secret.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import logging
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from cairn.server.errors import StorageError

LogFormat: TypeAlias = Literal["text", "json"]
_audit: Final = logging.getLogger("cairn.audit")
_log: Final = logging.getLogger("cairn.server")
_USUAL: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonFormatter(logging.Formatter):
    """One object in a line: time, level, logger, message, and whatever else was given."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        time = datetime.datetime.fromtimestamp(record.created, datetime.UTC)
        told: dict[str, object] = {
            "time": time.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        told |= {name: value for name, value in vars(record).items() if name not in _USUAL}
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return json.dumps(told, default=str, ensure_ascii=False)


def configure(form: LogFormat) -> None:
    """Write the log to standard error. As JSON it has a line for every request, too."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if form == "json" else logging.Formatter("%(levelname)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("cairn").setLevel(logging.INFO if form == "json" else logging.WARNING)
    _audit.setLevel(logging.INFO)


def note(event: str, **facts: object) -> None:
    """Note something that an operator may have to account for: who came in, who was refused, what was done to whom."""
    told = {name: value for name, value in facts.items() if value is not None}
    words = " ".join(f"{name}={value}" for name, value in told.items())
    _audit.info("%s %s", event, words, extra={"event": event, **told})


@contextlib.contextmanager
def log_and_continue(problem: str) -> Iterator[None]:
    """Whatever goes wrong is in the log, and passed over: for what is done again and again, and for what is extra."""
    try:
        yield
    except StorageError as error:
        _log.warning("%s: %s", problem, error)
    except Exception:  # noqa: BLE001  # whatever it is, the next time it may go well
        _log.exception("%s", problem)
