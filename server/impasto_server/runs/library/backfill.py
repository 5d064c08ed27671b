"""Listings and library entries of runs that an older version has ended without them."""

from impasto_server.container import AppState
from impasto_server.runs import repository
from impasto_server.runs.launch.planned_results import with_declarations
from impasto_server.runs.library import listings

# Other writers wait for a page.
_PAGE = 20


async def backfill_listings(app_state: AppState) -> None:
    """Write the listings of runs that have none, without their results: `backfill_library` adds those."""
    after = ""
    while True:
        async with app_state.database.writing() as session:
            rows = await repository.ended_without_listing(session, after, _PAGE)
            session.add_all([listings.of_launch(row) for row in rows])
        if not rows:
            return
        after = rows[-1].id


async def backfill_library(app_state: AppState) -> None:
    """Put the results of runs into the library that ended before texts and names were written there.

    Texts that an older version wrote there twice are merged.
    """
    after = ""
    while True:
        async with app_state.database.reading() as session:
            run_ids = await repository.ended_outside_library(session, after, _PAGE)
        if not run_ids:
            return
        planned = {run_id: await with_declarations(app_state, run_id) for run_id in run_ids}
        async with app_state.database.writing() as session:
            for run_id, results in planned.items():
                if results is not None:
                    await repository.set_planned_results(session, run_id, results)
                await listings.add_results(session, run_id, is_backfill=True)
        after = run_ids[-1]
