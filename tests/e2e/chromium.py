"""Chromium: where it is, and how it is started."""

from __future__ import annotations

import os
import shutil
from typing import Final

from playwright.sync_api import Browser, BrowserType

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
OFF: Final = (
    # Chromium takes one list of these: Playwright's own that matter here come first.
    *("DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay", "MediaRouter", "OptimizationHints"),
    *("PaintHolding", "ThirdPartyStoragePartitioning", "AimEnabled", "PreconnectToSearch"),
    # Work for every window that no test looks at: pages for whoever types an address, a process in reserve.
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
    """The program: what ``CAIRN_CHROMIUM`` names, or else the first of the usual names on the path."""
    named = os.environ.get("CAIRN_CHROMIUM")
    if named:
        return shutil.which(named)
    return next(filter(None, map(shutil.which, NAMES)), None)


def is_required() -> bool:
    """Whether it is an error that there is none."""
    return os.environ.get("CAIRN_REQUIRE_BROWSER") == "1"


def why_missing() -> str:
    """What to do about it."""
    named = os.environ.get("CAIRN_CHROMIUM")
    if named:
        return f"CAIRN_CHROMIUM names {named}, which is not a program"
    return f"there is no Chromium ({', '.join(NAMES)}): install it, or name it in CAIRN_CHROMIUM"


def launch(kind: BrowserType) -> Browser:
    """Start it with an empty profile."""
    path = find()
    if path is None:
        raise FileNotFoundError(why_missing())
    return kind.launch(executable_path=path, args=[*FLAGS])
