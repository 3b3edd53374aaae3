"""A script that reads the local games from the browser's database."""

from __future__ import annotations

from typing import Final

STORED: Final = """async () => {
    const settled = (request) => new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
    const database = await settled(indexedDB.open('cairn'));
    const transaction = database.transaction(['games', 'log']);
    const games = await settled(transaction.objectStore('games').getAll());
    const rows = await settled(transaction.objectStore('log').getAll());
    database.close();
    return games.map((game) => ({
        ...game, entries: rows.filter((row) => row.game === game.id).map(({ entry }) => entry),
    }));
}"""
"""All games in the browser's database, with their logs."""
