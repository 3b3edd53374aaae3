"""The web API: skins over the authority, without logic of their own."""
