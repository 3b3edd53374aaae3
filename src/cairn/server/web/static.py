"""Serve the built pages: files from one folder, and the start page for every other path outside the API."""

from __future__ import annotations

import functools
import hashlib
import json
import mimetypes
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from cairn.server.live.authority import Authority
from cairn.server.previews.tags import tags_of, wants_preview
from cairn.server.web.close_codes import UNKNOWN, refuse_socket

START_PAGE: Final = "index.html"
VERSION: Final = "version.json"
BUILD_ID: Final = re.compile(r"[0-9a-f]{1,64}")
HASHED: Final = "assets/"
"""The folder of files with a content hash in their names. They never change."""
IMMUTABLE: Final = "public, max-age=31536000, immutable"
REVALIDATE: Final = "no-cache"
ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}
"""The content encodings that the build prepares, smallest first, and the suffixes of their files."""
MEDIA_TYPES: Final = {".webmanifest": "application/manifest+json"}
"""Media types that Python does not know on all machines."""
NOT_BUILT: Final = b"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Cairn</title></head>
<body>
<h1>Cairn</h1>
<p>The server is running, but its pages are not built yet. Run <code>make play</code> to build them.</p>
<p>The <a href="/api/docs">web API</a> works without them.</p>
</body>
</html>
"""


class _File(NamedTuple):
    media_type: str
    plain: bytes
    encoded: Mapping[str, bytes]
    """The compressed variants by content encoding, smallest first."""
    etag: str


def build_of(folder: Path) -> str | None:
    """The id of the build in a folder. API responses contain it, so that a page can tell when it is outdated."""
    try:
        found = json.loads((folder / VERSION).read_bytes())["build"]
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return found if isinstance(found, str) and BUILD_ID.fullmatch(found) else None


class Pages:
    """Handles every request that matches no route. The files are few and small, so all are kept in memory."""

    def __init__(self, folder: Path) -> None:
        """Read the files now, so that no request waits for the disk."""
        self._folder: Final = folder.resolve()
        for path in (START_PAGE, *(f"{HASHED}{each.name}" for each in self._folder.joinpath(HASHED).glob("*"))):
            self._file(path)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a file, the start page or an error."""
        if scope["type"] != "http":
            await refuse_socket(receive, send, UNKNOWN, "There is nothing at this address.")
            return
        path = scope["path"].lstrip("/")
        if path == "api" or path.startswith("api/"):
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        headers = Headers(scope=scope)
        file = self._file(path)
        if file is None and not path.startswith(HASHED) and wants_preview(headers):
            authority: Authority = scope["app"].state.services.authority
            origin = f"{scope['scheme']}://{headers.get('host', '')}"
            tags = await tags_of(authority, origin, scope["path"], headers.get("accept-language", ""))
            await self._preview(tags, headers)(scope, receive, send)
        else:
            await self._response(path, headers, file)(scope, receive, send)

    def _preview(self, tags: str, request: Headers) -> Response:
        """The start page with tags for a preview. It is not compressed, because such requests are rare."""
        page = self._file(START_PAGE)
        if page is None:
            return _not_built()
        content = page.plain.replace(b"</head>", f"{tags}\n</head>".encode(), 1)
        headers = {"Cache-Control": REVALIDATE, "ETag": _etag(content), "Vary": "Accept-Language"}
        if request.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type=page.media_type)

    def _response(self, path: str, request: Headers, file: _File | None) -> Response:
        if file is None and path.startswith(HASHED):
            raise HTTPException(404)
        cache = IMMUTABLE if file and path.startswith(HASHED) else REVALIDATE
        file = file or self._file(START_PAGE)
        if file is None:
            return _not_built()
        headers = {"Cache-Control": cache, "ETag": file.etag, "Vary": "Accept-Encoding"}
        if request.get("if-none-match") == file.etag:
            return Response(status_code=304, headers=headers)
        accepted = request.get("accept-encoding", "")
        for encoding, content in file.encoded.items():
            if encoding in accepted:
                return Response(content, headers=headers | {"Content-Encoding": encoding}, media_type=file.media_type)
        return Response(file.plain, headers=headers, media_type=file.media_type)

    def _file(self, path: str) -> _File | None:
        """The file at a path, if it exists inside the folder."""
        try:
            found = (self._folder / path).resolve()
            if not found.is_relative_to(self._folder) or not found.is_file():
                return None
            return _read(found, found.stat().st_mtime_ns)
        except (OSError, ValueError):
            return None


def _not_built() -> Response:
    return Response(NOT_BUILT, 503, media_type="text/html")


@functools.lru_cache(maxsize=256)
def _read(path: Path, changed: int) -> _File:
    """A file and the compressed variants that the build put next to it. ``changed`` is used only in the cache key."""
    plain = path.read_bytes()
    media_type = MEDIA_TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    variants = {encoding: path.with_name(path.name + suffix) for encoding, suffix in ENCODINGS.items()}
    encoded = {encoding: variant.read_bytes() for encoding, variant in variants.items() if variant.is_file()}
    return _File(media_type, plain, encoded, _etag(plain))


def _etag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'
