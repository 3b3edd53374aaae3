"""Running games: the authority, games in memory, clocks, presence, the computer. Imports ``transport`` and below."""
