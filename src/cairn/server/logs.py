"""The log: plain text for people, or JSON lines for programs.

Both contain the audit trail of accounts, which identifies players by id and never contains a secret.
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
_audit_log: Final = logging.getLogger("cairn.audit")
_log: Final = logging.getLogger("cairn.server")
_STANDARD_FIELDS: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonFormatter(logging.Formatter):
    """One JSON object per line: time, level, logger, message, and the ``extra`` fields of the call."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line of JSON."""
        time = datetime.datetime.fromtimestamp(record.created, datetime.UTC)
        entry: dict[str, object] = {
            "time": time.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        entry |= {name: value for name, value in vars(record).items() if name not in _STANDARD_FIELDS}
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str, ensure_ascii=False)


def configure(log_format: LogFormat) -> None:
    """Write the log to standard error. The JSON log also has a line per request."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if log_format == "json" else logging.Formatter("%(levelname)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("cairn").setLevel(logging.INFO if log_format == "json" else logging.WARNING)
    _audit_log.setLevel(logging.INFO)


def audit(event: str, **fields: object) -> None:
    """Log an action on an account: a sign-in, a refusal, or an administrator's change. ``None`` fields are omitted."""
    given = {name: value for name, value in fields.items() if value is not None}
    pairs = " ".join(f"{name}={value}" for name, value in given.items())
    _audit_log.info("%s %s", event, pairs, extra={"event": event, **given})


@contextlib.contextmanager
def log_and_continue(problem: str) -> Iterator[None]:
    """Log errors in the block and continue. For periodic tasks, and for work that the caller does not depend on."""
    try:
        yield
    except StorageError as error:
        _log.warning("%s: %s", problem, error)
    except Exception:  # noqa: BLE001  # logged; the next attempt may succeed
        _log.exception("%s", problem)
