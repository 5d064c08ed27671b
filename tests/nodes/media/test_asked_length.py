"""The length that a brief asks for."""

import pytest

from impasto_nodes.media.asked_length import MAX_SECONDS, asked_length


@pytest.mark.parametrize(
    ("brief", "seconds"),
    [
        ("A 30-second teaser for our escape room in Ghent", 30),
        ("Ein 30-sekündiger Teaser für unser Weingut", 30),
        ("Teaser von 30 Sekunden", 30),
        ("Um teaser de trinta segundos", 30),
        ("三十秒のティーザー", 30),
        ("فيديو ٣٠ ثانية عن المقهى", 30),
        ("३० सेकंड का टीज़र", 30),
        ("Ролик на 30 секунд о пивоварне", 30),
        ("30-секундный ролик о пивоварне", 30),
        ("Teaser na 30 sekund pro pivovar", 30),
        ("Βίντεο 30 δευτερολέπτων για το οινοποιείο", 30),
        ("30 sekunnin video panimolle", 30),
        ("Un video di 20 secondi", 20),
        ("En video på 20 sekunder", 20),
        ("20초 영상", 20),
        ("Чай, готово за 20 секунд", 0),
        ("Čaj, hotovo za 20 sekund", 0),
        ("Τσάι σε 20 δευτερόλεπτα", 0),
        ("A one-minute film about our bakery", 60),
        ("A 45s reel", 45),
        ("Make it 30 seconds long", 30),
        ("Make it 2 minutes long", 0),
        ("A 5-second clip", 5),
        ("A 4-second clip", 0),
        ("A 9-minute video", MAX_SECONDS),
        ("A second look at our teapots", 0),
        ("Tea, ready in 20 seconds", 0),
        ("Our 5-minute recipe", 0),
        ("Open 24 hours", 0),
        ("Pizza in 2 minutes: a 15 s clip", 15),
    ],
)
def test_length_belongs_to_the_work_and_not_to_its_subject(brief: str, seconds: float) -> None:
    assert asked_length(brief) == seconds
