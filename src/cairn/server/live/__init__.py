"""Running games: the authority, the games in memory, clocks, presence, the computer. Imports up to ``transport``."""
