"""Messages on the wire, and the views that build them. Imports ``game`` and ``storage``."""
