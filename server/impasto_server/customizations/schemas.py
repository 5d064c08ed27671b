"""Request and response bodies of customizations."""

from datetime import datetime
from typing import Any

from pydantic import Field

from impasto_server.http.schemas import Json, RequestModel, ResponseModel


class Customization(ResponseModel):
    """The launch inputs of an agent as you last set them.

    They are not checked: an agent may have changed since. `updated_at` is null if none are stored.
    """

    values: dict[str, Any] = Field(description="By id of the input, as a launch takes them")
    updated_at: datetime | None


class CustomizationUpdate(RequestModel):
    """Changes of the stored inputs: null removes one, and those that are left out stay."""

    values: Json
