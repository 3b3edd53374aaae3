"""The codes with which the server closes sockets."""

from __future__ import annotations

from typing import Final

TRY_AGAIN_LATER: Final = 1013
"""The client should reconnect."""
SESSION_ENDED: Final = 4401
"""The session that opened the socket has ended."""
FORBIDDEN: Final = 4403
"""The request came from another site."""
UNKNOWN: Final = 4404
"""There is no such game or challenge."""
TOO_MANY_SOCKETS: Final = 4429
"""Too many sockets are open."""
