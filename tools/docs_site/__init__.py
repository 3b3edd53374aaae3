"""The documentation site: the pages in ``docs``, and the pages that are generated from the code."""
