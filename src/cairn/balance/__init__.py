"""The balance report: how fair and how varied the game is, measured on games of the engine against itself.

``run`` plays the games and finds facts about them, in shards that survive an interruption; ``facts`` has the layout of
the facts, and ``tables`` stores them as Parquet. ``statistics`` computes the figures, ``charts`` draws them, ``page``
writes them as HTML, and ``notebook`` as a notebook. All but ``charts`` need numpy or pyarrow, the packages of the extra
``data``.
"""
