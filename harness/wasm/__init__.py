"""The WebAssembly core in a real Chromium, compared with the native core."""
