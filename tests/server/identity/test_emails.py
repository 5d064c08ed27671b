"""The texts of e-mails, and what they show of an account."""

from typing import Any

import pytest

from impasto_server.email.transport import EmailMessage
from impasto_server.identity import emails
from impasto_server.identity.codes import IssuedCode
from impasto_server.settings import Settings
from impasto_server.users.models import User

MARA = User(username="mara", email="mara@northbound.example")
CODE, LINK = IssuedCode("012345"), IssuedCode("012345", "a&b")


def settings(**chosen: Any) -> Settings:
    return Settings(_env_file=None, public_url="https://impasto.example", **chosen)


def parts(message: EmailMessage) -> list[str]:
    """Return the paragraphs of the plain text: title, lead, code or link, what to do, why it was sent."""
    return message.text.split("\n\n")


def test_confirmation_shows_the_code() -> None:
    found = emails.confirmation(settings(), MARA, CODE)
    assert (found.to, found.subject) == ("mara@northbound.example", "012345 is your Impasto code")
    assert found.text == (
        "Welcome to Impasto\n\nHello mara, this code confirms your email address:\n\n    012345\n\n"
        "It is valid for 15 minutes. Enter it on the page where you signed up.\n\n--\n"
        "You receive this e-mail because this address was used to sign up for Impasto. "
        "If that was not you, ignore this e-mail.\n"
    )
    assert ">012345</p>" in found.html
    assert "href" not in found.html


@pytest.mark.parametrize(
    ("make", "link"),
    [
        (emails.confirmation, "/onboarding/activate-account#username=mara&code=012345&token=a%26b"),
        (emails.password_reset, "/forget-password#username=mara&code=012345&token=a%26b"),
    ],
)
def test_code_that_needs_its_token_comes_with_a_link(make: Any, link: str) -> None:
    found = make(settings(), MARA, LINK)
    assert parts(found)[2:4] == ["    012345", f"    https://impasto.example{link}"]
    assert parts(found)[4] == (
        "Too many codes were requested or entered wrongly for your account today, so this code works only "
        "on the page that the link opens. It is valid for 15 minutes."
    )
    assert f'href="https://impasto.example{link.replace("&", "&amp;")}"' in found.html


def test_reset_shows_the_code() -> None:
    found = emails.password_reset(settings(), MARA, CODE)
    assert (found.to, found.subject) == ("mara@northbound.example", "012345 resets your Impasto password")
    assert found.text == (
        "A new password\n\nHello mara, this code lets you choose a new password:\n\n    012345\n\n"
        "It is valid for 15 minutes. Impasto never asks you for this code by e-mail or phone.\n\n--\n"
        "You receive this e-mail because a password reset was requested for this account. "
        "If that was not you, ignore this e-mail: your password is unchanged.\n"
    )
    assert ">012345</p>" in found.html


def test_message_to_an_account_without_an_address_has_no_recipient() -> None:
    user = User(username="mara", email=None)
    assert emails.confirmation(settings(), user, CODE).to == ""
    assert emails.password_reset(settings(), user, CODE).to == ""
    assert emails.notice(settings(), user, "S", "It was.", {}, can_reset=True).to == ""


def test_code_of_a_new_address_goes_there() -> None:
    found = emails.email_change(settings(), MARA, "new@here.example", CODE)
    assert (found.to, found.subject) == ("new@here.example", "012345 is your Impasto code")
    assert found.text == (
        "Your new address\n\nHello mara, this code confirms the new email address of your account:"
        "\n\n    012345\n\n"
        "It is valid for 15 minutes. Enter it on the page where you asked for the change.\n\n--\n"
        "You receive this e-mail because this address was given as the new one of an Impasto account. "
        "If that was not you, ignore this e-mail.\n"
    )
    found = emails.email_change(settings(), MARA, "new@here.example", LINK)
    assert parts(found)[3] == (
        "    https://impasto.example/account/#email=new%40here.example&code=012345&token=a%26b"
    )


@pytest.mark.parametrize(
    ("seconds", "minutes"),
    [(900, "15 minutes"), (120, "2 minutes"), (119, "1 minute"), (60, "1 minute"), (30, "1 minute")],
)
def test_validity_is_stated_in_whole_minutes(seconds: int, minutes: str) -> None:
    found = emails.password_reset(settings(code_seconds=seconds), MARA, CODE)
    assert parts(found)[3] == (
        f"It is valid for {minutes}. Impasto never asks you for this code by e-mail or phone."
    )


def test_address_with_an_account_gets_a_link_to_sign_in() -> None:
    found = emails.address_taken(settings(), "mara@northbound.example")
    assert (found.to, found.subject) == ("mara@northbound.example", "You already have an Impasto account")
    assert found.text == (
        "You already have an account\n\n"
        "This address was given as the new one of another Impasto account. It belongs to yours already:"
        "\n\n    https://impasto.example/login\n\n"
        "To use the address for the other account, first change the address of this one.\n\n--\n"
        "You receive this e-mail because this address was given as the new one of an Impasto account. "
        "If that was not you, ignore this e-mail: your account is unchanged.\n"
    )
    assert 'href="https://impasto.example/login"' in found.html
    assert ">Sign in</a>" in found.html


@pytest.mark.parametrize(("days", "validity"), [(1, "1 day"), (7, "7 days")])
def test_invitation_says_how_long_it_is_valid(days: int, validity: str) -> None:
    found = emails.invitation("x@here.example", "https://impasto.example/invitation#t", days)
    assert (found.to, found.subject) == ("x@here.example", "You are invited to Impasto")
    assert found.text == (
        "You are invited\n\nYou can create an account on Impasto with this email address:\n\n"
        "    https://impasto.example/invitation#t\n\n"
        f"The link works once and is valid for {validity}.\n\n--\n"
        "You receive this e-mail because an administrator invited this address. "
        "If you do not know why, ignore this e-mail.\n"
    )
    assert 'href="https://impasto.example/invitation#t"' in found.html
    assert ">Create your account</a>" in found.html


def test_notice_lists_facts_and_says_what_to_do() -> None:
    facts = {"Time": "now", "Device": "<b>"}
    found = emails.notice(settings(), MARA, "Changed", "Your key was changed.", facts, can_reset=True)
    assert (found.to, found.subject) == ("mara@northbound.example", "Changed")
    assert parts(found)[:3] == [
        "Changed",
        "Hello mara, your key was changed.",
        "    Time: now\n    Device: <b>",
    ]
    assert parts(found)[3] == (
        'If this was you, there is nothing to do. If not, reset your password with "Forgot password?" on '
        "the sign-in page: that ends all sessions and revokes all API keys. Then check the passkeys and keys "
        "of your account at https://impasto.example/account/."
    )
    assert parts(found)[4] == (
        "--\nYou receive this e-mail because it concerns the security of your account.\n"
    )
    assert "&lt;b&gt;" in found.html
    assert "<b>" not in found.html
    assert ">Time</td>" in found.html
    assert ">now</td>" in found.html
    assert "<title>Changed</title>" in found.html


@pytest.mark.parametrize(
    ("contact", "shown"), [("", ""), ("mailto:help@here.example", " (help@here.example)")]
)
def test_notice_to_a_former_address_names_the_administrator(contact: str, shown: str) -> None:
    found = emails.notice(settings(security_contact=contact), MARA, "S", "It was.", {}, can_reset=False)
    assert parts(found)[3] == (
        "If this was you, there is nothing to do. If not, contact the administrator of this server at "
        f"once{shown}: codes no longer reach this address."
    )


@pytest.mark.parametrize(
    ("name", "is_harmless"),
    [
        ("mara", True),
        ("Mara O'Neil", True),
        ("Zoë-Lou", True),
        ("x" * 32, True),
        ("x" * 33, False),
        ("a.example", False),
        ("see http", True),
        ("one two three", False),
        ("_mara", False),
        ("mara@here", False),
        ("", False),
    ],
)
def test_name_that_may_be_a_link_or_a_message_is_left_out(name: str, is_harmless: bool) -> None:
    assert emails.harmless(name) == (name if is_harmless else "")
    user = User(username=name, email="x@here.example")
    greeting = parts(emails.confirmation(settings(), user, CODE))[1].partition(" this code")[0]
    assert greeting == (f"Hello {name}," if is_harmless else "Hello,")


def test_masked_address_shows_first_letters_and_the_top_level_domain() -> None:
    assert emails.mask("mara@north.bound.example") == "m•••@n•••.example"
