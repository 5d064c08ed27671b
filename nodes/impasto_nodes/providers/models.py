"""A model of a provider, as the catalog describes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Any

from impasto_nodes.providers.protocols import Kind


@dataclass(frozen=True, slots=True)
class ClipPrice:
    """The list price at a resolution: of a clip of `seconds`, or of one second if they are not given."""

    resolution: str
    usd: float
    seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model to offer by name. Any other name that the provider knows can be typed, too.

    `price_usd` is the list price of 1,000 output tokens (text), one image, one second (video), 1,000
    characters (speech, dialogue), one minute (music, captions) or one sound effect, `input_price_usd` that
    of 1,000 input tokens (text), `image_price_usd` that of the image that a clip starts from. `clip_prices`
    says where a clip's price depends on its resolution or length. Without `is_priced` the price is not known.
    Empty `ratios` or `durations` (seconds) mean: not known.
    `edits_images`: the provider's default for the node "Image edit". `takes_mask`: the model itself learns
    which part of an image to change; from another model's answer, only that part is taken.
    `max_input` and `max_output` are in tokens (text) or characters (speech, dialogue); None: not known.
    `settings` are the model's own settings, a JSON Schema for each by its name.
    From `retires_on` the provider no longer serves the model, and `replaced_by` runs in its place; without
    one, the provider's default does. `checked_on` is when these facts were read.
    """

    kind: Kind
    name: str
    title: str
    price_usd: float = 0.0
    ratios: tuple[str, ...] = ()
    durations: tuple[float, ...] = ()
    needs_image: bool = False
    takes_image: bool = True
    edits_images: bool = False
    takes_mask: bool = False
    input_price_usd: float = 0.0
    image_price_usd: float = 0.0
    clip_prices: tuple[ClipPrice, ...] = ()
    is_priced: bool = True
    max_input: int | None = None
    max_output: int | None = None
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    retires_on: date | None = None
    replaced_by: str = ""
    checked_on: date | None = None

    @property
    def is_gone(self) -> bool:
        """Whether the provider no longer serves the model, by today's date (UTC)."""
        return self.retires_on is not None and self.retires_on <= datetime.now(UTC).date()

    def gone(self, day: date) -> "Model":
        """Return the model as one that the provider no longer has on a day."""
        return replace(self, retires_on=self.retires_on or day, checked_on=day)
