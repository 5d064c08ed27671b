"""The example brand: everyone may pick it, look into it and duplicate it. It is in no table."""

from datetime import UTC, datetime

from impasto_server.brands.schemas import BrandColor, BrandContent, BrandFont, BrandVoice

EXAMPLE_ID = "northbound-coffee"
EXAMPLE_VERSION = 1
EXAMPLE_CREATED = datetime(2026, 1, 1, tzinfo=UTC)
EXAMPLE = BrandContent(
    name="Northbound Coffee",
    description="Slow-steeped coffee for people who go out early and stay late.",
    colors=[
        BrandColor(hex="#de8b3a", role="primary", name="Amber"),
        BrandColor(hex="#f0d9b0", role="background", name="Oat"),
        BrandColor(hex="#5c7a68", role="support", name="Sage"),
        BrandColor(hex="#2b2018", role="accent", name="Roast"),
    ],
    fonts=[
        BrandFont(family="Source Serif Pro", role="headline"),
        BrandFont(family="Manrope", role="text"),
    ],
    voice=BrandVoice(
        tone=["Warm", "Dry", "Unhurried"],
        dos=["Write short sentences."],
        donts=["Use exclamation marks."],
        banned_words=["delve", "unleash", "game-changer"],
        sample_lines=["Poured slowly, on purpose.", "Six in the morning has a taste."],
        languages=["English"],
    ),
)
