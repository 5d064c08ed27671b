"""When a provider says to come back."""

import email.utils
import math
import time
from collections.abc import Mapping


def retry_after(headers: Mapping[str, str] | None) -> float | None:
    """The seconds that a Retry-After header asks for, as a number or a date; None without one."""
    text = next((value for name, value in (headers or {}).items() if name.lower() == "retry-after"), "")
    try:
        seconds = float(text)
        return max(0.0, seconds) if math.isfinite(seconds) else None
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
