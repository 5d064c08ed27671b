"""What can be chosen to speak with now: live from the account where there is a key."""

from collections.abc import Awaitable, Callable

from impasto import Context, NodeError
from impasto_nodes.providers.credentials import is_configured
from impasto_nodes.providers.known import provider_title
from impasto_nodes.providers.models import model_options

Options = list[dict[str, str]]
_LOCAL = {"value": "heart", "label": "Heart", "group": provider_title("local"), "provider": "local"}


async def voice_options(query: str, context: Context | None) -> Options:
    """Live voices of the configured provider, and this machine's."""
    from impasto_nodes.providers.elevenlabs.voices import list_voices

    wanted = query.casefold()
    voices = [*await _live(list_voices, context), _LOCAL]
    return [voice for voice in voices if wanted in voice["label"].casefold()]


async def speech_model_options(query: str, context: Context | None) -> Options:
    """The listed speech models, and those that the account has beside them."""
    from impasto_nodes.providers.elevenlabs.voices import list_speech_models

    listed = model_options("speech", query)
    known = {option["value"] for option in model_options("speech")}
    live = [option for option in await _live(list_speech_models, context) if option["value"] not in known]
    return [*listed, *(option for option in live if query.casefold() in option["label"].casefold())]


async def _live(ask: Callable[[Context], Awaitable[Options]], context: Context | None) -> Options:
    """What a configured account answers; nothing where there is none, or it does not answer."""
    if context is None or not await is_configured("elevenlabs", context):
        return []
    try:
        return await ask(context)
    except NodeError as error:
        context.log.warning("the voices cannot be listed: %s", error.detail)
        return []
