"""Request and response bodies of the user endpoints."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from impasto_server.http.schemas import PlainText, RequestModel, ResponseModel, plain_text

Role = Literal[
    "growth_performance_marketer",
    "content_social_media_marketer",
    "brand_designer",
    "ux_ui_designer",
    "founder_c_level",
    "marketing_design_leader",
    "freelancer",
    "other",
]
Reason = Literal[
    "improve_design", "save_time", "increase_productivity", "reduce_costs", "improve_quality", "other"
]
PersonStatus = Literal["active", "unconfirmed", "suspended"]
PersonFilter = Literal["active", "unconfirmed", "suspended", "admin"]
_NameText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
Name = Annotated[_NameText, AfterValidator(plain_text), StringConstraints(min_length=1)]


class UserInfo(RequestModel):
    """The answers of the onboarding."""

    first_name: Name
    last_name: Name
    company: Name
    role: Role
    reasons: list[Reason] = Field(max_length=6)


class CredentialsName(RequestModel):
    """The name, such as yours or your organization's, that content credentials give; null for none."""

    name: Annotated[PlainText, Field(max_length=60)] | None = None


class Quota(ResponseModel):
    """Use of the daily quota."""

    limit: int
    used: int
    resets_at: datetime


class UserMe(ResponseModel):
    """The current user."""

    id: str
    username: str
    email: str | None
    avatar_url: str | None
    info: UserInfo | None
    credentials_name: str | None = Field(description="The name in the content credentials of your files")
    quota: Quota
    betas: list[str]
    book_a_call_url: str | None
    is_admin: bool


class Choice(ResponseModel):
    """A value to choose, and its label."""

    value: str
    label: str


class DeleteMe(RequestModel):
    """The password that confirms the deletion."""

    password: str = Field(
        default="", max_length=256, description="Empty for users of the OpenID Connect provider."
    )
