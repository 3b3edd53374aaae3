"""Find and start Chromium."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, BrowserContext, BrowserType

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
OFF: Final = (
    # Chromium honours only one `--disable-features` flag, so repeat the relevant features from Playwright's own flag.
    *("DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay", "MediaRouter", "OptimizationHints"),
    *("PaintHolding", "ThirdPartyStoragePartitioning", "AimEnabled", "PreconnectToSearch"),
    # Tests need neither the address-bar suggestions in every window nor a spare process.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "SpareRendererForSitePerProcess"),
)
"""The Chromium features to disable."""
FLAGS: Final = (
    "--no-sandbox",  # continuous integration runs as root
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(OFF)}",
)

BLOCK: Final = 2
"""The value of a site setting that blocks the feature on all sites."""


def find() -> str | None:
    """The path to Chromium: ``CAIRN_CHROMIUM`` if set, or else the first of the usual names found on ``PATH``."""
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
        return f"CAIRN_CHROMIUM is set to {named}, which is not an executable: correct it or unset it"
    return f"Chromium was not found ({', '.join(NAMES)}): install it, or set CAIRN_CHROMIUM"


def launch(kind: BrowserType) -> Browser:
    """Start Chromium with an empty profile."""
    path = find()
    if path is None:
        raise FileNotFoundError(why_missing())
    return kind.launch(executable_path=path, args=[*FLAGS])


@contextlib.contextmanager
def profile(kind: BrowserType, folder: Path, site_settings: Mapping[str, int]) -> Iterator[BrowserContext]:
    """Start Chromium with a new profile in ``folder``. Its default settings for all sites are ``site_settings``."""
    preferences = folder / "Default" / "Preferences"
    preferences.parent.mkdir(parents=True)
    content = {"profile": {"default_content_setting_values": dict(site_settings)}}
    preferences.write_text(json.dumps(content), encoding="utf-8")
    context = kind.launch_persistent_context(folder, executable_path=find(), args=[*FLAGS])
    try:
        yield context
    finally:
        context.close()
