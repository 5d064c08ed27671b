"""The sizes that channels ask for, and the parts of them that their own buttons leave free."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Placement:
    """One size of one channel; `safe` are the insets (left, top, right, bottom) to keep clear, as shares."""

    name: str
    width: int
    height: int
    safe: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)


_STORY = (0.06, 0.14, 0.06, 0.20)

PACKS: dict[str, tuple[Placement, ...]] = {
    "Instagram": (
        Placement("instagram-square", 1080, 1080),
        Placement("instagram-portrait", 1080, 1350),
        Placement("instagram-story", 1080, 1920, _STORY),
    ),
    "Facebook": (
        Placement("facebook-feed", 1080, 1080),
        Placement("facebook-link", 1200, 630),
        Placement("facebook-story", 1080, 1920, _STORY),
    ),
    "TikTok": (Placement("tiktok", 1080, 1920, (0.06, 0.12, 0.13, 0.22)),),
    "YouTube": (
        Placement("youtube-thumbnail", 1280, 720, (0.0, 0.0, 0.0, 0.1)),
        Placement("youtube-banner", 2560, 1440, (0.198, 0.353, 0.198, 0.353)),
    ),
    "LinkedIn": (Placement("linkedin-post", 1200, 627), Placement("linkedin-square", 1080, 1080)),
    "X": (Placement("x-post", 1600, 900), Placement("x-header", 1500, 500, (0.05, 0.1, 0.05, 0.1))),
    "Pinterest": (Placement("pinterest-pin", 1000, 1500),),
    "Display ads": (
        Placement("display-medium-rectangle", 300, 250),
        Placement("display-half-page", 300, 600),
        Placement("display-skyscraper", 160, 600),
        Placement("display-leaderboard", 728, 90),
        Placement("display-billboard", 970, 250),
        Placement("display-mobile", 320, 50),
    ),
    "Website": (Placement("web-hero", 1920, 1080), Placement("web-preview", 1200, 630)),
}
