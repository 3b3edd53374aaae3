"""Look-alike characters and scripts, from tables of the Unicode Consortium.

``tools/unicode_tables.py`` derives both tables; ``NOTICE`` contains the licence.
"""
