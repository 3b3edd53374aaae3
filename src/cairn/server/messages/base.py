"""The base class of all messages."""

from __future__ import annotations

import pydantic

from cairn.server.attribute_docs import add_descriptions


class Message(pydantic.BaseModel):
    """A message on the wire. It is immutable and rejects unknown fields."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, json_schema_extra=add_descriptions)
