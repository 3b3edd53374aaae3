"""Finding and starting Chromium."""

from __future__ import annotations

import os
import shutil
from typing import Final

from playwright.sync_api import Browser, BrowserType

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
OFF: Final = (
    # Chromium accepts only one such list, so the relevant part of Playwright's own list comes first.
    *("DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay", "MediaRouter", "OptimizationHints"),
    *("PaintHolding", "ThirdPartyStoragePartitioning", "AimEnabled", "PreconnectToSearch"),
    # Work that no test needs: address-bar suggestions in every window, a spare process.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "SpareRendererForSitePerProcess"),
)
"""Features that are switched off."""
FLAGS: Final = (
    "--no-sandbox",  # continuous integration runs as root
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(OFF)}",
)


def find() -> str | None:
    """The path of Chromium: named by ``CAIRN_CHROMIUM``, or the first of the usual names on the path."""
    named = os.environ.get("CAIRN_CHROMIUM")
    if named:
        return shutil.which(named)
    return next(filter(None, map(shutil.which, NAMES)), None)


def is_required() -> bool:
    """Whether a missing Chromium is an error."""
    return os.environ.get("CAIRN_REQUIRE_BROWSER") == "1"


def why_missing() -> str:
    """Why Chromium was not found, and what to do about it."""
    named = os.environ.get("CAIRN_CHROMIUM")
    if named:
        return f"CAIRN_CHROMIUM names {named}, which is not a program"
    return f"Chromium was not found ({', '.join(NAMES)}): install it, or set CAIRN_CHROMIUM"


def launch(kind: BrowserType) -> Browser:
    """Start Chromium with an empty profile."""
    path = find()
    if path is None:
        raise FileNotFoundError(why_missing())
    return kind.launch(executable_path=path, args=[*FLAGS])
