"""Parts of the stub of the native module, ``cairn._core``. There is no such package at run time."""
