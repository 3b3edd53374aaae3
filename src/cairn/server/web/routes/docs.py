"""The web API's documentation: one page without scripts, generated from the OpenAPI description."""

from __future__ import annotations

import html
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


@router.get("/docs")
async def show_docs(request: Request) -> HTMLResponse:
    """The documentation as an HTML page."""
    return HTMLResponse("\n".join(_page(request.app.openapi())))


def _page(api: Mapping[str, Any]) -> Iterator[str]:
    title = html.escape(f"{api['info']['title']} {api['info']['version']}: the web API")
    yield '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
    yield f'<meta name="viewport" content="width=device-width"><title>{title}</title><style>{_STYLE}</style></head>'
    yield f"<body>\n<h1>{title}</h1>"
    yield f"<p>{html.escape(api['info']['description'])}</p>"
    yield '<p>For programs: <a href="/api/openapi.json">openapi.json</a></p>'
    yield "<h2>Requests</h2>"
    for path, operations in api["paths"].items():
        for method, operation in operations.items():
            yield from _operation(path, method, operation)
    yield "<h2>Messages</h2>"
    for name, schema in sorted(api["components"]["schemas"].items()):
        yield from _schema(name, schema)
    yield "</body>\n</html>"


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f'<h3 id="{operation["operationId"]}">{method.upper()} {html.escape(path)}</h3>'
    yield f"<p>{html.escape(operation['description'])}</p>"
    if parameters := operation.get("parameters"):
        yield "<table>"
        for each in parameters:
            yield _row(each["name"], each["schema"], each.get("description", ""))
        yield "</table>"
    if body := operation.get("requestBody"):
        yield f"<p>Takes {_type(_content(body))}.</p>"
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            yield f"<p>Returns {status}: {_type(_content(response))}.</p>"


def _schema(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    yield f'<h3 id="{name}">{name}</h3>'
    yield f"<p>{html.escape(schema.get('description', ''))}</p>\n<table>"
    for field, each in schema.get("properties", {}).items():
        yield _row(field, each, each.get("description", ""))
    yield "</table>"


def _row(name: str, schema: Mapping[str, Any], description: str) -> str:
    return f"<tr><td>{html.escape(name)}</td><td>{_type(schema)}</td><td>{html.escape(description)}</td></tr>"


def _content(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of a body, for any media type."""
    for content in part.get("content", {}).values():
        schema: Mapping[str, Any] = content.get("schema", {})
        return schema
    return {"type": "nothing"}


def _type(schema: Mapping[str, Any]) -> str:
    """A short description of a schema, with links."""
    if reference := schema.get("$ref"):
        name = html.escape(reference.rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(_type(each) for each in schema[several])
    if "const" in schema or "enum" in schema:
        return " or ".join(html.escape(repr(each)) for each in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if isinstance(values := schema.get("additionalProperties"), Mapping):
        return f"map of names to {_type(values)}"
    return html.escape(str(schema.get("type", "anything")))
