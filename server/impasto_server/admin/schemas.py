"""Request and response bodies of the admin endpoints."""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from impasto_server.audit.origin import ActorKind
from impasto_server.audit.schemas import Detail, Outcome
from impasto_server.flows.schemas import Category, FlowStatus, Visibility
from impasto_server.http.schemas import Money, Page, PlainText, RequestModel, ResponseModel
from impasto_server.identity.schemas import Email, InvitationState
from impasto_server.limits.schemas import LimitUsage
from impasto_server.runs.schemas import RunStatus
from impasto_server.users.schemas import PersonStatus, Quota

Reason = Annotated[
    PlainText, Field(min_length=1, max_length=500, pattern=r"[^\s\x00]"), AfterValidator(str.strip)
]
Beta = Annotated[PlainText, Field(min_length=1, max_length=120, pattern=r"[^\s\x00]")]
UsageGroup = Literal["day", "user", "provider"]


class PersonRef(ResponseModel):
    """A user as others name them; `username` is null if the account was deleted."""

    id: str
    username: str | None


class Person(ResponseModel):
    """A user, for admins."""

    id: str
    username: str
    email: str | None
    avatar_url: str | None
    status: PersonStatus
    is_admin: bool
    created_at: datetime
    confirmed_at: datetime | None
    suspended_at: datetime | None
    betas: list[str]


class PersonDetail(Person):
    """A user with what they use."""

    suspended_reason: str | None
    quota: Quota
    last_seen_at: datetime | None = Field(description="The last use of a session; null if there was none")
    sessions: int = Field(description="Sessions that have not ended")
    api_keys: int
    agents: int
    runs: int
    cost_usd: Money
    has_password: bool = Field(description="False for users of an OpenID Connect provider")


class PersonPage(Page[Person]):
    """A page of users, newest first."""

    total: int = Field(description="The number of users that match, on all pages")


class ReasonBody(RequestModel):
    """Why an admin does something. Only admins see it, in the audit log."""

    reason: Reason


class Betas(RequestModel):
    """The private betas that a user has access to: agent ids, node types, or `*` for all."""

    betas: Annotated[list[Beta], Field(max_length=100)]


class PersonLimit(LimitUsage):
    """One limit of a user. `overridden`: an admin or the operator has set it for this user."""

    default: int | Money
    overridden: bool


class PersonLimits(ResponseModel):
    """Every limit of a user. The use of event streams is that of this server process."""

    items: list[PersonLimit]


class InvitationCreate(RequestModel):
    """The address to invite."""

    email: Email


class InvitationItem(ResponseModel):
    """An invitation without its token."""

    id: str
    email: str
    state: InvitationState
    created_at: datetime
    sent_at: datetime
    expires_at: datetime
    accepted_at: datetime | None


class InvitationPage(Page[InvitationItem]):
    """A page of invitations, newest first."""


class AdminAgent(ResponseModel):
    """A public agent, for admins. `owner` is null for built-in agents."""

    id: str
    name: str
    description: str
    category: Category
    visibility: Visibility
    status: FlowStatus
    avatar_url: str | None
    owner: PersonRef | None
    version: int | None
    featured_at: datetime | None
    withheld_at: datetime | None
    updated_at: datetime


class AdminAgentPage(Page[AdminAgent]):
    """A page of public agents, newest first."""


class AdminRun(ResponseModel):
    """A run of any user, without its inputs and results, which only its owner sees."""

    id: str
    number: int
    owner: PersonRef
    flow_id: str | None
    flow_name: str
    version: int | Literal["draft"]
    status: RunStatus
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    seconds: float | None
    cost_usd: Money
    error_code: str | None
    can_cancel: bool


class AdminRunPage(Page[AdminRun]):
    """A page of runs, newest first."""


class UsageRow(ResponseModel):
    """Sums of one day, user or provider. `key` is the day (UTC), the user's id or the provider's name."""

    key: str
    label: str
    runs: int | None = Field(description="Null by provider, because a run can use several")
    usd: Money


class UsageReport(ResponseModel):
    """The cost of runs in a period, by day, user or provider."""

    since: date
    until: date
    by: UsageGroup
    runs: int
    usd: Money
    items: list[UsageRow] = Field(description="By day: the newest first. Else: the most expensive first.")
    more: bool = Field(description="Whether there are more rows than the limit")


class AuditEntry(ResponseModel):
    """One entry of the audit log."""

    id: str
    at: datetime
    action: str
    outcome: Outcome
    actor_kind: ActorKind
    actor: PersonRef | None
    api_key_id: str | None
    target_kind: str | None
    target_id: str | None
    target_name: str | None = Field(description="The name of a target that is a user who still exists")
    address: str | None
    user_agent: str | None
    details: dict[str, Detail]


class AuditPage(Page[AuditEntry]):
    """A page of entries, newest first."""
