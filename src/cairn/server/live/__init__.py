"""Running games: the authority, games in memory, clocks, presence and the computer. Imports ``transport`` and below."""
