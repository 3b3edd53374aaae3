"""The base class of all messages."""

from __future__ import annotations

import pydantic


class Message(pydantic.BaseModel):
    """A message on the wire: immutable, and unknown fields are rejected."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
