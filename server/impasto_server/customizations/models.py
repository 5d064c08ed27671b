"""The table of customizations."""

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import JsonDict, JsonText
from impasto_server.utils import utc_now


class CustomizationRow(Base):
    """The launch inputs of one agent as one user last set them, by id of the input."""

    __tablename__ = "customizations"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    flow_id: Mapped[str] = mapped_column(
        ForeignKey("flows.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    values: Mapped[JsonDict] = mapped_column(JsonText)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now)
