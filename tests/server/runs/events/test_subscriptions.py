"""Notifications with payloads inside one process."""

import pytest

from impasto_server.runs.events.pubsub import LocalPubSub, Subscription

pytestmark = pytest.mark.anyio
LIMIT = 1_000_000


@pytest.mark.parametrize(
    ("payloads", "taken"),
    [
        ([], []),
        ([b"a", b"b"], [b"a", b"b"]),
        ([b"a", b""], None),
        ([b"", b"a"], None),
        ([bytes(LIMIT - 1), b"a"], [bytes(LIMIT - 1), b"a"]),
        ([bytes(LIMIT), b"a"], None),
        ([bytes(LIMIT + 1)], None),
    ],
)
async def test_payloads_are_taken_once_unless_one_is_missing(
    payloads: list[bytes], taken: list[bytes] | None
) -> None:
    subscription = Subscription()
    for payload in payloads:
        subscription.notify(payload)
    assert subscription.take() == taken
    assert subscription.take() == []
    subscription.notify(bytes(LIMIT))
    assert subscription.take() == [bytes(LIMIT)], "what was taken does not count"


async def test_notification_wakes_one_wait() -> None:
    subscription = Subscription()
    assert not await subscription.wait(0)
    subscription.notify(b"a")
    assert await subscription.wait(20)
    assert not await subscription.wait(0)
    subscription.notify(b"b")
    subscription.forget()
    assert not await subscription.wait(0)
    assert subscription.take() == []
    subscription.close()
    assert subscription.closed
    assert await subscription.wait(20)


async def test_subscribers_of_a_topic_are_notified_while_they_are_subscribed() -> None:
    pubsub = LocalPubSub()
    async with pubsub, pubsub.subscribe("run 1") as one:
        async with pubsub.subscribe("run 1") as other, pubsub.subscribe("run 2") as another:
            assert (pubsub.count("run 1"), pubsub.count("run 2"), pubsub.count("run 3")) == (2, 1, 0)
            pubsub.publish("run 1", b"a")
            pubsub.publish("run 3", b"b")
            assert [each.take() for each in (one, other, another)] == [[b"a"], [b"a"], []]
        pubsub.publish("run 1", b"c")
        assert [each.take() for each in (one, other)] == [[b"c"], []]
        assert (pubsub.count("run 1"), pubsub.count("run 2")) == (1, 0)
        assert not pubsub.closed
        pubsub.close()
        assert pubsub.closed
        assert await one.wait(20)
        assert not other.closed
    assert pubsub.count("run 1") == 0
