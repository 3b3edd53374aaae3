"""Settings for Sphinx. ``tools/make_docs.py`` runs it."""

from __future__ import annotations

from typing import Any

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

import cairn

project = "Cairn"
author = "The Cairn developers"
release = version = cairn.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"Cairn {release}"
html_static_path = ["static"]
html_favicon = html_logo = "static/icon.svg"
html_css_files = ["fonts/fonts.css", "site.css"]
html_js_files = [("live.js", {"type": "module"})]
html_copy_source = False
html_show_sphinx = False
# The colours of the web app (web/src/app/theme.css).
html_theme_options = {
    "light_css_variables": {
        "font-stack": '"Cairn Text", system-ui, sans-serif',
        "font-stack--headings": '"Cairn Display", "Cairn Text", Georgia, serif',
        "color-background-primary": "#fcf9f2",
        "color-background-secondary": "#f3eee2",
        "color-background-border": "#d9cfba",
        "color-foreground-primary": "#25221c",
        "color-foreground-secondary": "#5a5346",
        "color-brand-primary": "#2c5f45",
        "color-brand-content": "#1d5d7c",
        "color-brand-visited": "#1d5d7c",
    },
    "dark_css_variables": {
        "color-background-primary": "#161914",
        "color-background-secondary": "#1f231d",
        "color-background-border": "#383d34",
        "color-foreground-primary": "#ece6d8",
        "color-foreground-secondary": "#b8b09e",
        "color-brand-primary": "#93c9a6",
        "color-brand-content": "#86c2de",
        "color-brand-visited": "#86c2de",
    },
}
myst_enable_extensions = ["attrs_inline", "html_image"]
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"show-inheritance": False}


def set_language(app: Sphinx, page: str, template: str, context: dict[str, Any], _: object) -> None:
    """Give a page the language in its front matter."""
    del template
    metadata = app.env.metadata.get(page, {})
    context["language"] = metadata.get("lang", "en")


def setup(app: Sphinx) -> None:
    """Show Svelte as plain text, since no lexer knows it, and set the language of each page."""
    app.add_lexer("svelte", TextLexer)
    app.connect("html-page-context", set_language)
