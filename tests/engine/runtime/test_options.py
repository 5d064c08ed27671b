import pytest

from impasto import Catalog, Context, Flow, MemoryJournal, Text, compile, execute, node, start

pytestmark = pytest.mark.anyio


@node
async def word(*, text: str) -> Text:
    return text


@node
async def shout(text: Text, *, context: Context) -> Text:
    context.progress(0.5)
    context.charge(0.25)
    await context.remember("asked", text)
    return f"{await context.recall('asked')}!"


@node
async def fail(text: Text) -> Text:
    raise RuntimeError(text)


def plan_of(last="shout"):
    data = {
        "format": 1,
        "nodes": [{"id": "a", "type": "word", "settings": {"text": "hey"}}, {"id": "b", "type": last}],
        "edges": [{"from": "a.output", "to": "b.text"}],
    }
    return compile(Flow.parse(data), Catalog([word, shout, fail]))


async def test_run_without_events_gives_the_same_result():
    result = await execute(plan_of(), events=False)
    assert (result.status, result.outputs["b.output"], result.cost_usd) == ("finished", "hey!", 0.25)
    assert result.events == []


async def test_run_without_events_reports_failures():
    result = await execute(plan_of("fail"), events=False)
    assert (result.status, result.steps["b"].status, result.steps["a"].status) == (
        "failed",
        "failed",
        "finished",
    )


async def test_event_stream_of_a_run_without_events_ends():
    async with start(plan_of(), events=False) as run:
        assert [event async for event in run.events()] == []
    assert (await run.result()).status == "finished"


@pytest.mark.parametrize("extra", [{"journal": MemoryJournal()}, {"listener": print}])
async def test_run_without_events_refuses_a_journal_and_a_listener(extra):
    with pytest.raises(ValueError, match="with events=False"):
        await execute(plan_of(), events=False, **extra)


@pytest.mark.parametrize(
    "options", [{"reuse": "sometimes"}, {"max_concurrency": 0}], ids=["reuse", "max_concurrency"]
)
async def test_option_out_of_range_is_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        await execute(plan_of(), **options)
