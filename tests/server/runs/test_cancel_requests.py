"""Requests to cancel runs reach the runs that they are for."""

import asyncio

import pytest

from impasto_server.runs import cancel_requests
from impasto_server.runs.cancel_requests import CancelRequests
from impasto_server.runs.events.pubsub import LocalPubSub

pytestmark = pytest.mark.anyio


async def test_only_the_run_of_a_request_is_notified() -> None:
    async with LocalPubSub() as pubsub:
        requests = CancelRequests(pubsub)
        with requests.watch("one") as one, requests.watch("two") as two:
            async with requests.receiving():
                cancel_requests.publish(pubsub, "unknown")
                cancel_requests.publish(pubsub, "two")
                assert await two.wait(20)
                assert not await one.wait(0)


async def test_every_run_is_notified_where_requests_may_be_missed() -> None:
    async with LocalPubSub() as pubsub:
        requests = CancelRequests(pubsub)
        with requests.watch("one") as one, requests.watch("two") as two:
            async with requests.receiving():
                pubsub.publish(cancel_requests.TOPIC)
                assert await asyncio.gather(one.wait(20), two.wait(20)) == [True, True]


async def test_a_run_is_not_notified_once_it_is_not_watched() -> None:
    async with LocalPubSub() as pubsub:
        requests = CancelRequests(pubsub)
        with requests.watch("two") as two:
            async with requests.receiving():
                with requests.watch("one") as one:
                    pass
                pubsub.publish(cancel_requests.TOPIC)
                assert await two.wait(20)
                assert not await one.wait(0)
