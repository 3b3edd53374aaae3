"""The web API's documentation, generated from the OpenAPI description: one page without scripts.

The documentation site shows the same requests and messages (``tools/docs_site/reference.py``).
"""

from __future__ import annotations

import dataclasses
import html
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

router: Final = APIRouter(prefix="/api", include_in_schema=False)

_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
:root { color-scheme: light dark }
h2 { margin-top: 3rem } h3 { margin: 2rem 0 .25rem; font-family: ui-monospace, monospace; font-size: 1rem }
p { margin: .25rem 0 } td { padding: .1rem 1rem .1rem 0; vertical-align: top } td:first-child { white-space: nowrap }
"""


@dataclasses.dataclass(frozen=True, slots=True)
class Entry:
    """A request or a message."""

    id: str
    """The id of the entry in the OpenAPI description."""
    title: str
    """The method and path of a request, or the name of a message, as plain text."""
    tag: str
    """The group of a request; empty for a message."""
    content: str
    """What the entry does, and its fields, as HTML."""


@router.get("/docs")
async def show_docs(request: Request) -> HTMLResponse:
    """The documentation as an HTML page."""
    return HTMLResponse("\n".join(_page(request.app.openapi())))


def requests(api: Mapping[str, Any], messages_at: str = "") -> Iterator[Entry]:
    """All requests. Their links lead to the messages at the given address."""
    for path, operations in api["paths"].items():
        for method, operation in operations.items():
            content = "\n".join(_operation(operation, messages_at))
            yield Entry(operation["operationId"], f"{method.upper()} {path}", operation["tags"][0], content)


def messages(api: Mapping[str, Any]) -> Iterator[Entry]:
    """All messages, by name. Their links stay on the page."""
    for name, schema in sorted(api["components"]["schemas"].items()):
        yield Entry(name, name, "", "\n".join(_schema(schema)))


def _page(api: Mapping[str, Any]) -> Iterator[str]:
    title = html.escape(f"{api['info']['title']} {api['info']['version']}: the web API")
    yield '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
    yield f'<meta name="viewport" content="width=device-width"><title>{title}</title><style>{_STYLE}</style></head>'
    yield f"<body>\n<h1>{title}</h1>"
    yield _prose(api["info"]["description"])
    yield '<p>For programs: <a href="/api/openapi.json">openapi.json</a></p>'
    for heading, entries in (("Requests", requests(api)), ("Messages", messages(api))):
        yield f"<h2>{heading}</h2>"
        for entry in entries:
            yield f'<h3 id="{entry.id}">{html.escape(entry.title)}</h3>\n{entry.content}'
    yield "</body>\n</html>"


def _operation(operation: Mapping[str, Any], messages_at: str) -> Iterator[str]:
    yield _prose(operation["description"])
    if parameters := operation.get("parameters"):
        yield "<table>"
        for each in parameters:
            yield _row(each["name"], _type(each["schema"], messages_at), each.get("description", ""))
        yield "</table>"
    if body := operation.get("requestBody"):
        yield f"<p>Takes {_type(_content(body), messages_at)}.</p>"
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            yield f"<p>Returns {status}: {_type(_content(response), messages_at)}.</p>"


def _schema(schema: Mapping[str, Any]) -> Iterator[str]:
    yield _prose(schema.get("description", ""))
    if fields := schema.get("properties"):
        yield "<table>"
        for field, each in fields.items():
            yield _row(field, _type(each), each.get("description", ""))
        yield "</table>"


def _prose(text: str) -> str:
    """Paragraphs as HTML. Docstrings mark code with backticks."""
    return "\n".join(f"<p>{_words(paragraph)}</p>" for paragraph in text.split("\n\n") if paragraph)


def _words(text: str) -> str:
    return re.sub(r"(``?)(.+?)\1", r"<code>\2</code>", html.escape(text))


def _row(name: str, kind: str, description: str) -> str:
    return f"<tr><td>{html.escape(name)}</td><td>{kind}</td><td>{_words(description)}</td></tr>"


def _content(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of a body, for any media type."""
    for content in part.get("content", {}).values():
        schema: Mapping[str, Any] = content.get("schema", {})
        return schema
    return {"type": "nothing"}


def _type(schema: Mapping[str, Any], messages_at: str = "") -> str:
    """A short description of a schema, with links."""
    if reference := schema.get("$ref"):
        name = html.escape(reference.rpartition("/")[2])
        return f'<a href="{messages_at}#{name}">{name}</a>'
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(_type(each, messages_at) for each in schema[several])
    if "const" in schema or "enum" in schema:
        return " or ".join(html.escape(repr(each)) for each in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}), messages_at)}"
    if isinstance(values := schema.get("additionalProperties"), Mapping):
        return f"map of names to {_type(values, messages_at)}"
    return html.escape(str(schema.get("type", "anything")))
