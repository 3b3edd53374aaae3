"""Export games as open data: Parquet tables for analysis, and records for everything else.

``games`` defines an exported game, ``sources`` reads games from files, and ``database`` from a server. ``tables`` turns
them into rows, and ``export`` writes the files. Only ``tables`` needs pyarrow, the package of the extra ``data``.
"""
