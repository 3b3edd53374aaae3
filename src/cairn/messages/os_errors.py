"""Errors of the operating system in the current language."""

from __future__ import annotations

import errno

from cairn.messages.catalogue import has, t


def reason_of(error: OSError) -> str:
    """Why a file or an address cannot be used, as a clause for an error message."""
    code = errno.EACCES if error.errno == errno.EPERM else error.errno
    key = f"cli.os.{errno.errorcode.get(code or 0, '')}"
    return t(key) if has(key) else error.strerror or str(error)
