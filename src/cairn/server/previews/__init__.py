"""Previews of links: the tags in a page, and pictures of games. Imports ``live`` and its dependencies."""
