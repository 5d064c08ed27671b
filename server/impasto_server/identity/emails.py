"""The e-mails of the identity feature."""

import re
from collections.abc import Mapping
from html import escape
from urllib.parse import urlencode

from impasto_server.email.transport import EmailMessage
from impasto_server.identity.codes import IssuedCode
from impasto_server.settings import Settings
from impasto_server.users.models import User

# One or two words without anything that a mail client would turn into a link.
_HARMLESS_NAME = re.compile(r"[^\W_][\w'’-]{0,31}( [\w'’-]{1,31})?")
_PAGE = """\
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{subject}</title></head>
<body style="margin:0;background:#f6f3ec;color:#1d1a16;\
font:15px/1.55 'Instrument Sans',Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
<tr><td align="center" style="padding:40px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px">
<tr><td style="padding:0 4px 20px;font:400 24px/1 'Instrument Serif',Georgia,serif">\
<span style="display:inline-block;width:14px;height:14px;border-radius:5px;background:#de4f2a"></span>\
<span style="display:inline-block;width:14px;height:14px;border-radius:5px;background:#2f57e0;\
margin:0 9px 0 3px"></span>\
Impasto</td></tr>
<tr><td style="background:#fffdf9;border:1px solid #e3dccf;border-radius:18px;padding:36px 32px">
<h1 style="margin:0 0 14px;letter-spacing:-.01em;\
font:400 34px/1.1 'Instrument Serif',Georgia,serif">{title}</h1>
<p style="margin:0 0 22px;color:#6b6357">{lead}</p>
{block}
<p style="margin:0;color:#6b6357">{close}</p>
</td></tr>
<tr><td style="padding:18px 4px;color:#6b6357;font-size:12.5px">{why}</td></tr>
</table></td></tr></table>
</body></html>
"""
_CODE = """\
<p style="margin:0 0 22px;padding:18px 0;background:#efebe1;border-radius:12px;text-align:center;\
font:600 32px/1 'Geist Mono',Menlo,Consolas,monospace;letter-spacing:.28em;text-indent:.28em">{code}</p>"""
_FACTS = '<table role="presentation" style="margin:0 0 22px">{rows}</table>'
_FACT = """\
<tr><td style="padding:4px 14px 4px 0;color:#6b6357">{label}</td>\
<td style="padding:4px 0;overflow-wrap:anywhere">{value}</td></tr>"""
_LINK = """\
<p style="margin:0 0 22px"><a href="{link}" style="display:inline-block;padding:12px 20px;background:#1d1a16;\
color:#fffdf9;border-radius:12px;text-decoration:none;font-weight:600">{label}</a></p>
<p style="margin:0 0 22px;color:#6b6357;font-size:12.5px;overflow-wrap:anywhere">{link}</p>"""


def confirmation(settings: Settings, user: User, issued: IssuedCode) -> EmailMessage:
    """Return the e-mail with the confirmation code of a sign-up."""
    return _compose(
        user.email or "",
        subject=f"{issued.code} is your Impasto code",
        title="Welcome to Impasto",
        lead=f"{_greeting(user.username)} this code confirms your email address:",
        code=issued.code,
        link=_code_link(settings, issued, "/onboarding/activate-account", username=user.username),
        close=_how_to_use(settings, issued, "Enter it on the page where you signed up."),
        why="You receive this e-mail because this address was used to sign up for Impasto. "
        "If that was not you, ignore this e-mail.",
    )


def password_reset(settings: Settings, user: User, issued: IssuedCode) -> EmailMessage:
    """Return the e-mail with the code that resets a password."""
    return _compose(
        user.email or "",
        subject=f"{issued.code} resets your Impasto password",
        title="A new password",
        lead=f"{_greeting(user.username)} this code lets you choose a new password:",
        code=issued.code,
        link=_code_link(settings, issued, "/forget-password", username=user.username),
        close=_how_to_use(settings, issued, "Impasto never asks you for this code by e-mail or phone."),
        why="You receive this e-mail because a password reset was requested for this account. "
        "If that was not you, ignore this e-mail: your password is unchanged.",
    )


def email_change(settings: Settings, user: User, to: str, issued: IssuedCode) -> EmailMessage:
    """Return the e-mail with the code that makes `to` the address of an account."""
    return _compose(
        to,
        subject=f"{issued.code} is your Impasto code",
        title="Your new address",
        lead=f"{_greeting(user.username)} this code confirms the new email address of your account:",
        code=issued.code,
        link=_code_link(settings, issued, "/account/", email=to),
        close=_how_to_use(settings, issued, "Enter it on the page where you asked for the change."),
        why="You receive this e-mail because this address was given as the new one of an Impasto account. "
        "If that was not you, ignore this e-mail.",
    )


def address_taken(settings: Settings, to: str) -> EmailMessage:
    """Return the e-mail to an address that another account was to be changed to, but that has an account."""
    link = f"{settings.origin}/login"
    return _message(
        to,
        subject="You already have an Impasto account",
        title="You already have an account",
        lead="This address was given as the new one of another Impasto account. It belongs to yours already:",
        key=link,
        block=_LINK.format(link=escape(link), label="Sign in"),
        close="To use the address for the other account, first change the address of this one.",
        why="You receive this e-mail because this address was given as the new one of an Impasto account. "
        "If that was not you, ignore this e-mail: your account is unchanged.",
    )


def invitation(to: str, link: str, days: int) -> EmailMessage:
    """Return the e-mail with the link of an invitation."""
    return _message(
        to,
        subject="You are invited to Impasto",
        title="You are invited",
        lead="You can create an account on Impasto with this email address:",
        key=link,
        block=_LINK.format(link=escape(link), label="Create your account"),
        close=f"The link works once and is valid for {days} {'day' if days == 1 else 'days'}.",
        why="You receive this e-mail because an administrator invited this address. "
        "If you do not know why, ignore this e-mail.",
    )


def notice(
    settings: Settings, user: User, subject: str, sentence: str, facts: Mapping[str, str], *, can_reset: bool
) -> EmailMessage:
    """Return the e-mail about a change of an account, with what to do if its owner did not make it.

    `can_reset` says that a password reset still sends its code to this address.
    """
    contact = f" ({settings.security_contact.removeprefix('mailto:')})" if settings.security_contact else ""
    remedy = (
        'reset your password with "Forgot password?" on the sign-in page: that ends all sessions and revokes '
        f"all API keys. Then check the passkeys and keys of your account at {settings.origin}/account/."
        if can_reset
        else f"contact the administrator of this server at once{contact}: codes no longer reach this address."
    )
    return _message(
        user.email or "",
        subject=subject,
        title=subject,
        lead=f"{_greeting(user.username)} {sentence[0].lower()}{sentence[1:]}",
        key="\n    ".join(f"{label}: {value}" for label, value in facts.items()),
        block=_FACTS.format(rows="".join(_fact(label, value) for label, value in facts.items())),
        close=f"If this was you, there is nothing to do. If not, {remedy}",
        why="You receive this e-mail because it concerns the security of your account.",
    )


def _fact(label: str, value: str) -> str:
    return _FACT.format(label=escape(label), value=escape(value))


def harmless(name: str) -> str:
    """Return a name if a mail client makes no link of it, else an empty text."""
    return name if _HARMLESS_NAME.fullmatch(name) else ""


def mask(email: str) -> str:
    """Return an address that only its owner recognizes."""
    name, _, domain = email.partition("@")
    top_level = domain.rpartition(".")[2]
    return f"{name[0]}•••@{domain[0]}•••.{top_level}"


def _how_to_use(settings: Settings, issued: IssuedCode, advice: str) -> str:
    minutes = max(1, settings.code_seconds // 60)
    validity = f"It is valid for {minutes} {'minute' if minutes == 1 else 'minutes'}."
    if issued.token is None:
        return f"{validity} {advice}"
    return (
        "Too many codes were requested or entered wrongly for your account today, so this code works only "
        f"on the page that the link opens. {validity}"
    )


def _code_link(settings: Settings, issued: IssuedCode, path: str, **account: str) -> str:
    if issued.token is None:
        return ""
    # In the fragment, which browsers do not send: neither the token nor the code reaches a log.
    values = urlencode({**account, "code": issued.code, "token": issued.token})
    return f"{settings.origin}{path}#{values}"


def _greeting(username: str) -> str:
    # Sign-ups with another person's address must not be able to send a message or link in the username.
    return f"Hello {username}," if _HARMLESS_NAME.fullmatch(username) else "Hello,"


def _compose(
    to: str, *, subject: str, title: str, lead: str, code: str, link: str, close: str, why: str
) -> EmailMessage:
    key, block = code, _CODE.format(code=escape(code))
    if link:
        key, block = f"{code}\n\n    {link}", block + _LINK.format(link=escape(link), label="Open the page")
    return _message(to, subject=subject, title=title, lead=lead, key=key, block=block, close=close, why=why)


def _message(
    to: str, *, subject: str, title: str, lead: str, key: str, block: str, close: str, why: str
) -> EmailMessage:
    """Return an e-mail with a code or link: `key` in the plain text, `block` (HTML) in the page."""
    text = f"{title}\n\n{lead}\n\n    {key}\n\n{close}\n\n--\n{why}\n"
    values = {"subject": subject, "title": title, "lead": lead, "close": close, "why": why}
    html = _PAGE.format(block=block, **{name: escape(value) for name, value in values.items()})
    return EmailMessage(to, subject, text, html)
