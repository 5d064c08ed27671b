"""Rules of names, addresses, passwords, devices and who may sign up."""

import pytest
from pydantic_core import PydanticCustomError

from impasto_server.identity.passwords import PasswordHasher, check_new_password
from impasto_server.identity.schemas import check_email, names_other_email
from impasto_server.identity.sessions.devices import Device, name_of
from impasto_server.identity.sessions.tokens import issuer_of
from impasto_server.identity.sign_up import rules
from impasto_server.settings import Settings


def settings(mode: str, *domains: str) -> Settings:
    return Settings(_env_file=None, sign_up=mode, sign_up_domains=domains)


@pytest.mark.parametrize(
    ("mode", "invited", "email", "is_allowed"),
    [
        ("open", False, None, True),
        ("invite", False, "x@here.example", False),
        ("invite", True, "x@here.example", True),
        ("domains", False, "x@HERE.example", True),
        ("domains", False, "x@there.example", False),
        ("domains", False, None, False),
        ("domains", True, "x@there.example", True),
        ("closed", True, "x@here.example", False),
    ],
)
def test_who_may_sign_up(mode: str, invited: bool, email: str | None, is_allowed: bool) -> None:
    chosen = settings(mode, *(["here.example"] if mode == "domains" else []))
    if is_allowed:
        rules.check_allowed(chosen, email, invited=invited)
    else:
        with pytest.raises(rules.SignUpRefused) as refused:
            rules.check_allowed(chosen, email, invited=invited)
        assert refused.value.detail == rules.describe(chosen).sentence


@pytest.mark.parametrize(
    ("domains", "listed"),
    [
        (["a.example"], "a.example"),
        (["a.example", "b.example"], "a.example or b.example"),
        (["a.example", "b.example", "c.example"], "a.example, b.example or c.example"),
    ],
)
def test_rule_lists_the_domains(domains: list[str], listed: str) -> None:
    found = rules.describe(settings("domains", *domains))
    assert (found.mode, found.domains) == ("domains", domains)
    assert found.sentence == f"Sign-up is limited to email addresses at {listed}."
    with pytest.raises(rules.AddressRefused, match=listed):
        rules.check_address(settings("domains", *domains), "x@other.example")
    rules.check_address(settings("domains", *domains), "x@a.example")
    rules.check_address(settings("closed"), "x@other.example")


@pytest.mark.parametrize(
    ("email", "domain"),
    [
        ("x@Straße.example", "xn--strae-oqa.example"),
        ("x@Intranet", "intranet"),
        ("x", None),
        ("", None),
        (None, None),
    ],
)
def test_domain_of_an_address(email: str | None, domain: str | None) -> None:
    assert rules.domain_of(email) == domain


@pytest.mark.parametrize(
    ("email", "normalized"),
    [
        (" Mara@Here.Example ", "Mara@here.example"),
        ("m@straße.example", "m@straße.example"),
        ("m@mail.a1", "m@mail.a1"),
        ("m@localhost", None),
        ("é@here.example", None),
        ("m@", None),
        (f"{'m' * 64}@here.example", f"{'m' * 64}@here.example"),
    ],
)
def test_address_is_normalized_or_refused(email: str, normalized: str | None) -> None:
    if normalized is None:
        with pytest.raises(PydanticCustomError, match="Email is invalid"):
            check_email(email)
    else:
        assert check_email(email) == normalized


@pytest.mark.parametrize(
    ("username", "is_other"),
    [("mara", False), ("Mara@here.example ", False), ("ines@here.example", True), ("m＠x", True)],
)
def test_username_may_be_the_own_address_only(username: str, is_other: bool) -> None:
    assert names_other_email(username, "mara@HERE.example") is is_other


@pytest.mark.parametrize(
    ("password", "kind"),
    [
        ("Aa1-" + "x" * 4, None),
        ("Aa1-" + "x" * 252, None),
        ("Aa1-xxx", "password_too_short"),
        ("Aa1-" + "x" * 253, "password_too_long"),
        ("aa1-xxxx", "password_too_simple"),
        ("AA1-XXXX", "password_too_simple"),
        ("Aab-xxxx", "password_too_simple"),
        ("Aa1 xxxx", "password_too_simple"),
    ],
)
def test_password_has_four_classes_of_characters(password: str, kind: str | None) -> None:
    if kind is None:
        assert check_new_password(password) == password
    else:
        with pytest.raises(PydanticCustomError) as refused:
            check_new_password(password)
        assert refused.value.type == kind


@pytest.mark.anyio
async def test_password_is_hashed_at_the_cost_that_is_set_and_matches_its_hash_only() -> None:
    costs = {"argon2_time_cost": 1, "argon2_memory_kib": 64, "argon2_parallelism": 2}
    hasher = PasswordHasher(Settings(_env_file=None, **costs))
    stored = await hasher.hash("Thick-paint-7")
    assert stored.startswith("$argon2id$v=19$m=64,t=1,p=2$")
    assert await hasher.matches("Thick-paint-7", stored) is True
    assert await hasher.matches("Thick-paint-8", stored) is False
    for password in ("Thick-paint-7", "not the password of any account"):
        assert await hasher.matches(password, None) is False


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        ("", "Unknown device"),
        ("Mozilla/5.0 (iPhone) FxiOS/1", "Firefox on iPhone"),
        ("Mozilla/5.0 (Windows) Chrome/1 Safari/1 Edg/1", "Edge on Windows"),
        ("Mozilla/5.0 (Windows) Chrome/1 EdgA/1", "Edge on Windows"),
        ("Mozilla/5.0 (Macintosh) Safari/1", "Safari on macOS"),
        ("Mozilla/5.0 Chrome/1", "Chrome"),
        ("Mozilla/5.0 (X11; Linux)", "Linux"),
        ("curl/8.0", "curl"),
        ("My Program /1", "My Program"),
        ("x" * 41, "x" * 40),
        ("7zip", "Unknown device"),
    ],
)
def test_device_is_named_after_browser_system_or_program(user_agent: str, name: str) -> None:
    assert name_of(user_agent) == name


def test_device_is_known_by_a_hash_of_its_token() -> None:
    device = Device("token", "192.0.2.7", "curl")
    assert device.digest == "3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0"
    assert device.block == "192.0.2.7"
    assert Device("token", "2001:db8:1:2:3::4", "").block == Device("token", "2001:db8:1:2::", "").block


@pytest.mark.parametrize(
    ("token", "issuer"),
    [
        ("a.eyJpc3MiOiJodHRwczovL3gifQ.b", "https://x"),
        ("a.eyJpc3MiOjF9.b", None),
        ("a.e30.b", None),
        ("a.WzFd.b", None),
        ("a.%.b", None),
        ("a", None),
        ("", None),
    ],
)
def test_issuer_that_a_token_claims(token: str, issuer: str | None) -> None:
    assert issuer_of(token) == issuer
