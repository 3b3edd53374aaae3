"""Look-alike characters and scripts, from the tables of the Unicode Consortium.

``tools/unicode_tables.py`` derives both tables; ``NOTICE`` contains the licence.
"""
