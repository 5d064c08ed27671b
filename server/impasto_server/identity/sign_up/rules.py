"""Who may create an account: the rule that `IMPASTO_SIGN_UP` sets, for sign-up and OpenID Connect alike."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from email_validator import EmailNotValidError, validate_email

from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Detail
from impasto_server.container import AppState
from impasto_server.http.errors import FieldInvalid, Forbidden
from impasto_server.identity.errors import UserExists
from impasto_server.identity.schemas import Registration
from impasto_server.settings import Settings


class SignUpRefused(Forbidden):
    """The rule does not let this person create an account. `detail` is the rule in words."""

    code, title = "sign_up_refused", "Sign-up refused"


class AddressRefused(FieldInvalid):
    """The rule does not let an account have this e-mail address."""

    def __init__(self, domains: str) -> None:
        super().__init__("email", f"Email addresses are limited to {domains}.", "email_refused")


def describe(settings: Settings) -> Registration:
    """Return the rule and the sentence that states it; the sentence is empty if everyone may sign up."""
    domains = list(settings.sign_up_domains)
    return Registration(mode=settings.sign_up, domains=domains, sentence=_sentence(settings))


def check_allowed(settings: Settings, email: str | None, *, invited: bool) -> None:
    """Raise `SignUpRefused` unless an account may be created for this address.

    `email` is None if there is none that is known to be the person's own. `invited` says that the person has
    a valid invitation, which counts in every mode but `closed`.
    """
    is_allowed = {
        "open": True,
        "invite": invited,
        "domains": invited or domain_of(email) in settings.sign_up_domains,
        "closed": False,
    }[settings.sign_up]
    if not is_allowed:
        raise SignUpRefused(_sentence(settings))


def check_address(settings: Settings, email: str) -> None:
    """Raise `AddressRefused` if only some domains may sign up and an account's new address is at another.

    Otherwise an account would outlast its owner's address at such a domain.
    """
    if settings.sign_up == "domains" and domain_of(email) not in settings.sign_up_domains:
        raise AddressRefused(_listed(settings))


@asynccontextmanager
async def recorded_refusals(app_state: AppState, email: str | None) -> AsyncIterator[None]:
    """Record a sign-up that the block refuses: why and, where only some domains may sign up, the domain.

    Enter it outside a transaction. Name and address stay out of the audit log: no account of this person has
    them.
    """
    try:
        yield
    except (SignUpRefused, UserExists) as refusal:
        details: dict[str, Detail] = {"reason": refusal.code}
        if app_state.settings.sign_up == "domains":
            details["domain"] = domain_of(email)
        await audit.record_refusal(app_state, "account.create", "denied", details=details)
        raise


def domain_of(email: str | None) -> str | None:
    """Return the domain of an address in lower-case ASCII (IDNA), or None if it is not an address.

    Names are compared in this form and never case-folded: "straße.example" and "strasse.example" are
    two domains.
    """
    try:
        found = validate_email(email or "", check_deliverability=False, globally_deliverable=False)
    except EmailNotValidError:
        return None
    return found.ascii_domain.lower()


def _sentence(settings: Settings) -> str:
    return {
        "open": "",
        "invite": "Sign-up is by invitation only.",
        "domains": f"Sign-up is limited to email addresses at {_listed(settings)}.",
        "closed": "Sign-up is closed.",
    }[settings.sign_up]


def _listed(settings: Settings) -> str:
    names = [*settings.sign_up_domains]
    return " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
