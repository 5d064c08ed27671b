"""Removes keys from texts for errors, logs and events."""

import re

_SECRETS = re.compile(
    r"""(?ix)
    \b(?:sk|pk|rk|xi|r8|gsk|hf|AIza)[-_][A-Za-z0-9_\-*]{6,}      # keys by their well-known shapes
    | \bAIza[A-Za-z0-9_\-]{20,}
    | (?<=bearer\s)[A-Za-z0-9._~+/\-]{6,}=*                      # authorization headers
    | (?<=token\s)[A-Za-z0-9._~+/\-]{16,}=*
    | (?<=://)[^/\s:@]*:[^/\s@]+(?=@)                            # user:password in an address
    """
)
_MAX_LENGTH = 2000


def redact(text: str, *secrets: str) -> str:
    """Return `text`, cut to a readable length, with known secrets and words like keys replaced."""
    for secret in secrets:
        if len(secret) >= 4:
            escaped = repr(secret.encode("utf-8", "replace"))[2:-1]  # as errors show a header
            text = text.replace(secret, "…").replace(escaped, "…")
    return _SECRETS.sub("…", text)[:_MAX_LENGTH]
