"""The sizes that channels ask for, and the shares of each side that their own buttons cover."""

from impasto_nodes.transform.channels import PACKS

SIZES = {
    "Instagram": [
        ("instagram-square", 1080, 1080),
        ("instagram-portrait", 1080, 1350),
        ("instagram-story", 1080, 1920),
    ],
    "Facebook": [
        ("facebook-feed", 1080, 1080),
        ("facebook-link", 1200, 630),
        ("facebook-story", 1080, 1920),
    ],
    "TikTok": [
        ("tiktok", 1080, 1920),
    ],
    "YouTube": [
        ("youtube-thumbnail", 1280, 720),
        ("youtube-banner", 2560, 1440),
    ],
    "LinkedIn": [
        ("linkedin-post", 1200, 627),
        ("linkedin-square", 1080, 1080),
    ],
    "X": [
        ("x-post", 1600, 900),
        ("x-header", 1500, 500),
    ],
    "Pinterest": [
        ("pinterest-pin", 1000, 1500),
    ],
    "Display ads": [
        ("display-medium-rectangle", 300, 250),
        ("display-half-page", 300, 600),
        ("display-skyscraper", 160, 600),
        ("display-leaderboard", 728, 90),
        ("display-billboard", 970, 250),
        ("display-mobile", 320, 50),
    ],
    "Website": [
        ("web-hero", 1920, 1080),
        ("web-preview", 1200, 630),
    ],
}
COVERED = {
    "instagram-story": (0.06, 0.14, 0.06, 0.2),
    "facebook-story": (0.06, 0.14, 0.06, 0.2),
    "tiktok": (0.06, 0.12, 0.13, 0.22),
    "youtube-thumbnail": (0.0, 0.0, 0.0, 0.1),
    "youtube-banner": (0.198, 0.353, 0.198, 0.353),
    "x-header": (0.05, 0.1, 0.05, 0.1),
}


def test_each_channel_has_the_sizes_that_it_asks_for() -> None:
    found = {channel: [(one.name, one.width, one.height) for one in pack] for channel, pack in PACKS.items()}
    assert found == SIZES
    assert list(found) == list(SIZES)


def test_what_a_channel_covers_is_kept_clear() -> None:
    places = [place for pack in PACKS.values() for place in pack]
    assert {place.name: place.safe for place in places if any(place.safe)} == COVERED
