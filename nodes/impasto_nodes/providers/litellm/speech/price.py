"""The price of speech: by the character, or by the second that was spoken."""

from typing import NamedTuple

from impasto_nodes.providers.litellm.prices import price_of_a_spoken_second
from impasto_nodes.providers.paid_calls import priced_model

MAX_SECONDS_OF_A_CHARACTER = 0.35
"""Slow speech in a script with a syllable a character."""


class SpeechPrice(NamedTuple):
    """US dollars of one character, and of one second of audio."""

    character: float
    second: float

    def usd(self, text: str, seconds: float) -> float:
        """Return the price of a spoken text."""
        return len(text) * self.character + seconds * self.second

    def max_usd(self, text: str, speed: float = 1.0) -> float:
        """Return the most that speaking a text can cost; speech at half the speed takes twice as long."""
        return self.usd(text, 1.0 + len(text) * MAX_SECONDS_OF_A_CHARACTER / min(1.0, speed))


def speech_price(provider: str, model: str) -> SpeechPrice | None:
    """Return the price of a model's speech; None if it is not known."""
    if by_length := price_of_a_spoken_second(provider, model):
        return SpeechPrice(*by_length)
    listed = priced_model("speech", provider, model)
    return None if listed is None else SpeechPrice(listed.price_usd / 1000, 0.0)
