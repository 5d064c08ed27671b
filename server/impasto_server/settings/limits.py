"""What users, requests and flows may use at most."""

from decimal import Decimal

from pydantic_settings import BaseSettings

from impasto_server.settings.validators import Rate, setting


class LimitSettings(BaseSettings):
    """The fields of `Settings` that limit users, requests, flows and the processes that check them."""

    daily_quota: int = setting(50, "Runs that a user may start per day (UTC).", ge=0)
    limit_stored_bytes: int = setting(
        10 * 10**9, "Bytes of assets, agents and brands that a user may store.", ge=0
    )
    limit_assets: int = setting(20_000, "Assets that a user may have.", ge=0)
    limit_agents: int = setting(500, "Agents that a user may have.", ge=0)
    limit_brands: int = setting(100, "Brands that a user may have.", ge=0)
    limit_versions: int = setting(
        200, "Published versions and saves kept for an agent, and published versions of a brand.", ge=1
    )
    limit_concurrent_runs: int = setting(4, "Runs of a user that are executed at a time; others wait.", ge=1)
    limit_queued_runs: int = setting(1000, "Runs of a user that may wait.", ge=1)
    limit_streams: int = setting(20, "Event streams that a user may have open at a server process.", ge=1)
    limit_uploads: int = setting(4, "Uploads of a user that may be in progress.", ge=1)
    limit_exports: int = setting(1, "Exports (zip files) of a user that may be in progress.", ge=1)
    limit_usd_per_day: Decimal = setting(
        Decimal(5), "US dollars that a user may spend on the server's keys per day.", ge=0, le=999_999
    )
    limit_usd_per_month: Decimal = setting(
        Decimal(50), "US dollars that a user may spend on the server's keys per month.", ge=0, le=999_999
    )
    run_budget_usd: Decimal | None = setting(None, "Maximum cost of a run, in US dollars.", ge=0)
    allow_unpriced_models: bool = setting(
        False, "Allow models of unknown price on the server's keys: no limit counts what they cost."
    )
    json_body_bytes: int = setting(2 * 2**20, "Maximum size of a JSON body, in bytes.", ge=1024)
    upload_bytes: int = setting(200 * 2**20, "Maximum size of an upload, in bytes.", ge=1024)
    head_seconds: float = setting(15, "Time in which the head of a request must arrive, in seconds.", gt=0)
    body_seconds: float = setting(30, "Time in which a JSON body must arrive, in seconds.", gt=0)
    upload_min_rate: int = setting(
        16 * 1024, "Minimum rate of an upload, in bytes per second; it has IMPASTO_BODY_SECONDS more.", ge=1
    )
    json_values: int = setting(
        150_000, "Maximum number of values (objects, lists and scalars) in a JSON body.", ge=1000
    )
    image_megapixels: int = setting(100, "Maximum size of an image, in megapixels.", ge=1)

    max_flow_nodes: int = setting(5000, "Maximum number of nodes of a flow.", ge=1)
    max_flow_edges: int = setting(20_000, "Maximum number of edges of a flow.", ge=1)
    max_flow_steps: int = setting(
        10_000, "Maximum number of steps of a flow, with the agents that it runs as nodes.", ge=1
    )
    max_flow_agents: int = setting(100, "Maximum number of other agents that a flow runs as nodes.", ge=1)
    max_flow_bytes: int = setting(
        4 * 2**20, "Maximum size of a flow with the agents that it runs, as JSON, in bytes.", ge=1024
    )
    max_settings_bytes: int = setting(
        2**20, "Maximum size of the settings of all nodes of a flow, as JSON, in bytes.", ge=1024
    )
    max_setting_values: int = setting(
        10_000,
        "Maximum number of values (objects, lists, scalars) in the settings of a node; bounds JSON Schemas.",
        ge=100,
    )
    max_setting_depth: int = setting(
        64, "Maximum depth of the settings of a node; bounds JSON Schemas.", ge=8
    )
    compile_seconds: float = setting(2, "Maximum time that checking a flow may take, in seconds.", gt=0)
    compile_memory_mib: int = setting(
        512, "Maximum memory that checking a flow may take, in MiB (on Linux).", ge=64
    )
    compile_processes: int = setting(2, "Maximum number of processes that check flows.", ge=1, le=64)
    compile_cache_bytes: int = setting(32 * 2**20, "Memory for the results of checked flows, in bytes.", ge=0)
    rate_limit_compilations: Rate = setting(
        "300/minute", "Rate limit of checking flows for one user; each tenth of a second counts as one."
    )

    brand_import_processes: int = setting(
        1, "Maximum number of processes that read files of brands.", ge=1, le=16
    )
    brand_import_seconds: float = setting(
        20, "Maximum time that reading a file of a brand may take, in seconds.", gt=0
    )
    brand_import_memory_mib: int = setting(
        1024, "Maximum memory that reading a file of a brand may take, in MiB (on Linux).", ge=256
    )
    rate_limit_imports: Rate = setting("60/hour", "Rate limit of imports of brands for one user.")
