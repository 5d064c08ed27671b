"""Every setting of the server: an environment variable `IMPASTO_<NAME>`, or a line of `.env`."""

from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, PrivateAttr, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from impasto import Configuration
from impasto.configuration import ENV_FILE
from impasto.sdk.user_servers import UserServers
from impasto_server.settings_validators import (
    CommaSeparated,
    Contact,
    DatabaseUrl,
    Domain,
    Headers,
    OtelUrl,
    Plugins,
    Rate,
    RedisUrl,
    Sender,
    SmtpUrl,
    StorageUrl,
    Token,
    UserServerList,
    WebUrl,
    check_bucket_access,
    check_sign_up,
    origin_of,
    parse_headers,
    require,
    setting,
)

SignUpMode = Literal["open", "invite", "domains", "closed"]


class Settings(BaseSettings):
    """The operator's settings of the server. `impasto settings` lists every field with its description.

    `configuration` is what they were read from. Provider keys and other variables that the server itself
    does not know are taken from there too, so that a line of `.env` counts for all of them.
    """

    # An empty variable is an unset one: deployment files pass on variables that their user may leave empty.
    model_config = SettingsConfigDict(
        env_prefix="IMPASTO_", env_ignore_empty=True, extra="ignore", frozen=True
    )

    _configuration: Configuration = PrivateAttr()

    def __init__(self, _env_file: Path | str | None = ENV_FILE, **given: Any) -> None:
        super().__init__(_env_file=_env_file, **given)
        self._configuration = Configuration.load(_env_file)

    host: str = setting("127.0.0.1", "IP address to listen on.")
    port: int = setting(8000, "Port to listen on; 0 for any free port.", ge=0, le=65535)
    public_url: WebUrl = setting("", "URL that users open; http://localhost:<port> by default.")
    environment: Literal["development", "production"] = setting(
        "development", "'production' refuses insecure secrets and turns off /docs and /openapi.json."
    )
    forwarded_allow_ips: str = setting(
        "127.0.0.1", "Proxies whose X-Forwarded-* headers are trusted (comma separated)."
    )
    data_dir: Path = setting(Path("data"), "Folder for the database, files, secrets and outbox.")
    editor_dir: Path | None = setting(
        None, "Folder of the built editor; found automatically in a source checkout."
    )
    agents_dir: Path | None = setting(
        None, "Folder of the built-in agents; found automatically in a source checkout."
    )

    database_url: DatabaseUrl = setting(
        "", "SQLAlchemy URL: SQLite in the data folder by default, or postgresql+asyncpg://…"
    )
    database_pool: int = setting(20, "Connections kept open to the database.", ge=1, le=500)
    database_idle_seconds: float = setting(
        60,
        "Seconds after which PostgreSQL ends an idle transaction; 0 leaves it to PostgreSQL.",
        ge=0,
        le=86400,
    )
    storage_url: StorageUrl = setting(
        "", "Storage of asset files: a folder in the data folder by default, or s3://bucket/prefix."
    )
    storage_endpoint: WebUrl = setting("", "URL of an S3-compatible service; Amazon's by default.")
    storage_region: str = setting("", "Region of the S3 bucket; AWS_REGION by default.", max_length=60)
    storage_access_key_id: str = setting(
        "", "Access key of the S3 bucket; the AWS_… variables or the machine's role by default."
    )
    storage_secret_access_key: SecretStr | None = setting(None, "Secret of IMPASTO_STORAGE_ACCESS_KEY_ID.")
    redis_url: RedisUrl = setting(
        "", "Redis URL for rate limits, events and the job queue; in memory by default."
    )
    run_backend: Literal["in_process", "celery"] = setting(
        "in_process", "Where runs are executed: in the server process, or by Celery workers."
    )
    max_concurrent_runs: int = setting(8, "Maximum number of concurrent runs of a process.", ge=1)
    reserved_runs: int = setting(
        4, "Places of a process beyond max_concurrent_runs for launches of users who have none.", ge=0
    )
    dispatch_seconds: float = setting(
        5, "Seconds after which a process looks for waiting runs even without a message.", gt=0, le=60
    )
    max_concurrent_steps: int = setting(16, "Maximum number of concurrent steps of a run.", ge=1)
    lease_seconds: float = setting(
        30, "Seconds after which another process resumes the runs of a process that died.", ge=1
    )
    run_timeout: float = setting(3600, "Maximum duration of a run, in seconds.", gt=0)

    reuse_days: int = setting(30, "Days that a step's result is kept for reuse after its last use.", ge=1)
    progress_days: int = setting(
        30, "Days that a finished run keeps its progress events and partial texts.", ge=1
    )

    audit_days: int = setting(365, "Days that the audit log keeps an entry; at least 31.", ge=31)

    secrets_dir: Path | None = setting(
        None, "Folder of the signing and encryption keys; 'secrets' in the data folder by default."
    )
    encryption_key: SecretStr | None = setting(
        None, "Encryption key of stored secrets, 32 random bytes in base64; replaces the key file."
    )
    content_credentials: bool = setting(True, "Sign generated files with content credentials (C2PA).")
    content_organization: str = setting(
        "", "Organization that signed files name; the files name none by default.", max_length=60
    )
    content_certificate_file: Path | None = setting(
        None,
        "PEM file with the certificate that signs files, then its issuers; the server makes one by default.",
    )
    content_key_file: Path | None = setting(
        None, "PEM file with the private key of IMPASTO_CONTENT_CERTIFICATE_FILE."
    )
    content_signer: str = setting(
        "", "Name of an installed content signer, such as one for a KMS, instead of the key file."
    )
    content_timestamp_url: str = Field(
        default="",
        pattern=r"^(https?://[^\s]+)?$",
        description="Time stamp authority (RFC 3161) that stamps each signature; none by default.",
    )
    content_trust_file: Path | None = setting(
        None, "PEM file with further authorities whose signatures count as trusted."
    )
    content_credentials_processes: int = setting(
        1, "Maximum number of processes that sign and read files.", ge=1, le=16
    )
    content_credentials_seconds: float = setting(
        10, "Maximum time that signing or reading a file may take, in seconds.", gt=0
    )
    content_credentials_memory_mib: int = setting(
        1024, "Maximum memory that signing or reading a file may take, in MiB (on Linux).", ge=256
    )

    identity_token_seconds: int = setting(900, "Lifetime of an identity token, in seconds.", ge=5)
    refresh_token_days: int = setting(30, "Lifetime of an unused refresh cookie, in days.", ge=1)
    code_seconds: int = setting(900, "Lifetime of a code sent by e-mail, in seconds.", ge=1)
    code_tries: int = setting(5, "Wrong attempts after which a code becomes invalid.", ge=1)
    code_tries_per_day: int = setting(
        10, "Wrong codes that are accepted for one e-mail address per day (UTC).", ge=1
    )
    sign_in_tries: int = setting(
        10, "Failed sign-ins to an account after which each further one must wait twice as long.", ge=1
    )
    sign_in_max_delay: int = setting(
        900, "Longest wait between two failed sign-ins to an account, in seconds.", ge=1
    )
    rate_limit_account: Rate = setting(
        "10/minute", "Rate limit of each identity endpoint for one account and IP address (IPv6: /64)."
    )
    rate_limit_address: Rate = setting("300/minute", "Rate limit of identity endpoints for one IP address.")
    rate_limit_sign_up: Rate = setting("20/hour", "Rate limit of sign-ups from one IP address.")
    rate_limit_mails: Rate = setting("20/hour", "Rate limit of e-mails to one account.")
    rate_limit_mails_address: Rate = setting(
        "5/hour", "Rate limit of e-mails with a code that one IP address causes to one account."
    )
    argon2_time_cost: int = setting(3, "Argon2id: number of iterations.", ge=1)
    argon2_memory_kib: int = setting(65536, "Argon2id: memory in KiB.", ge=8)
    argon2_parallelism: int = setting(4, "Argon2id: degree of parallelism.", ge=1)

    oidc_issuer: WebUrl = setting("", "Issuer URL of an OpenID Connect provider for single sign-on.")
    oidc_client_id: str = setting("", "Client id of this server at the OpenID Connect provider.")
    oidc_client_secret: SecretStr | None = setting(
        None, "Client secret at the OpenID Connect provider; empty for a public client."
    )
    oidc_audience: str = setting(
        "", "Audience of bearer tokens from the OpenID Connect provider; the client id by default."
    )
    oidc_scopes: str = setting("openid profile email", "Scopes requested from the OpenID Connect provider.")
    oidc_name: str = setting("single sign-on", "Name of the OpenID Connect provider on the sign-in page.")

    sign_up: SignUpMode = setting(
        "open", "Who may sign up: open (everyone), invite, domains (IMPASTO_SIGN_UP_DOMAINS) or closed."
    )
    sign_up_domains: CommaSeparated[Domain] = setting(
        (), "Domains of the e-mail addresses that may sign up (comma separated)."
    )
    invitation_days: int = setting(7, "Days that an invitation is valid.", ge=1, le=90)

    smtp_url: SmtpUrl | None = setting(
        None, "smtp://user:password@host:587 (STARTTLS) or smtps://…; e-mails are files by default."
    )
    smtp_allow_plain: bool = setting(False, "Allow smtp:// without STARTTLS, for a relay on this machine.")
    smtp_ca_file: Path | None = setting(None, "CA file that verifies the certificate of the SMTP server.")
    mail_from: Sender = setting("Impasto <no-reply@localhost>", "Sender of e-mails.")

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
    book_a_call_url: str = setting(
        "", "URL where users book a call when a quota or a private beta stops them."
    )
    run_budget_usd: Decimal | None = setting(None, "Maximum cost of a run, in US dollars.", ge=0)
    allow_unpriced_models: bool = setting(
        False, "Allow models of unknown price on the server's keys: no limit counts what they cost."
    )
    allow_private_hosts: bool = setting(
        False, "Allow nodes, and imports of brands, to call hosts in private networks."
    )

    find_local_servers: bool | None = setting(
        None,
        "Look for Ollama, LM Studio and vLLM on this machine when an admin opens Connections; by default in "
        "development only.",
    )

    user_servers: UserServerList = setting(
        "",
        "Model servers that users may choose by their address, such as gpu.lan:11434, 10.0.0.0/24; none by "
        "default.",
    )
    warm: bool = setting(True, "Load slow libraries in the background soon after the start.")
    plugins: Plugins = setting(
        "", "Distributions whose plugins may load, such as acme==1.2.0#sha256=…; all by default."
    )
    log_level: Literal["debug", "info", "warning", "error"] = setting("info", "Minimum level of log lines.")
    log_format: Literal["console", "json"] = setting("console", "Format of log lines.")
    security_contact: Contact = setting(
        "", "E-mail address or URL for reports of vulnerabilities, in /.well-known/security.txt."
    )
    metrics: bool = setting(False, "Serve GET /metrics for Prometheus; needs IMPASTO_METRICS_TOKEN.")
    metrics_token: Token | None = setting(
        None, "Bearer token that GET /metrics requires, at least 16 characters."
    )
    worker_metrics_port: int | None = setting(
        None, "Port on which a worker serves /metrics and /readyz; needs IMPASTO_METRICS.", ge=1, le=65535
    )
    otel_endpoint: OtelUrl = setting(
        "", "URL of an OpenTelemetry receiver, such as http://localhost:4318/v1/traces; no traces by default."
    )
    otel_headers: Headers | None = setting(
        None, "Headers of requests to the OpenTelemetry receiver: name=value (comma separated)."
    )
    otel_ratio: float = setting(1, "Share of the traces that are sent, from 0 to 1.", ge=0, le=1)
    otel_service_name: str = setting("impasto", "Name of the service in traces.", max_length=100)
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
    max_setting_depth: int = setting(64, "Maximum depth of a node's settings; bounds JSON Schemas.", ge=8)
    compile_seconds: float = setting(2, "Maximum time that checking a flow may take, in seconds.", gt=0)
    compile_memory_mib: int = setting(
        512, "Maximum memory that checking a flow may take, in MiB (on Linux).", ge=64
    )
    compile_processes: int = setting(2, "Maximum number of processes that check flows.", ge=1, le=64)
    compile_cache_bytes: int = setting(32 * 2**20, "Memory for the results of checked flows, in bytes.", ge=0)
    rate_limit_compilations: Rate = setting(
        "300/minute", "Rate limit of checking flows for one user; 0.1 s of processor time counts as one."
    )

    brand_import_processes: int = setting(1, "Maximum number of processes that read brands.", ge=1, le=16)
    brand_import_seconds: float = setting(
        20, "Maximum time that reading a file of a brand may take, in seconds.", gt=0
    )
    brand_import_memory_mib: int = setting(
        1024, "Maximum memory that reading a file of a brand may take, in MiB (on Linux).", ge=256
    )
    rate_limit_imports: Rate = setting("60/hour", "Rate limit of imports of brands for one user.")

    cors_origins: CommaSeparated[str] = setting(
        (), "Other origins that may call the API from a browser (comma separated)."
    )

    @model_validator(mode="after")
    def _check_combinations(self) -> "Settings":
        check_sign_up(self.sign_up, self.sign_up_domains)
        has_workers = self.run_backend == "celery"
        require("IMPASTO_RUN_BACKEND=celery", has_workers, "IMPASTO_REDIS_URL", self.redis_url)
        check_bucket_access(
            self.storage_url,
            access_key_id=self.storage_access_key_id,
            secret_access_key=self.storage_secret_access_key,
            endpoint=self.storage_endpoint,
            region=self.storage_region,
        )
        require("IMPASTO_METRICS=true", self.metrics, "IMPASTO_METRICS_TOKEN", self.metrics_token)
        require("IMPASTO_WORKER_METRICS_PORT", self.worker_metrics_port, "IMPASTO_METRICS", self.metrics)
        require("IMPASTO_OTEL_HEADERS", self.otel_headers, "IMPASTO_OTEL_ENDPOINT", self.otel_endpoint)
        require("IMPASTO_OIDC_ISSUER", self.oidc_issuer, "IMPASTO_OIDC_CLIENT_ID", self.oidc_client_id)
        certificate = "IMPASTO_CONTENT_CERTIFICATE_FILE", self.content_certificate_file
        require("IMPASTO_CONTENT_KEY_FILE", self.content_key_file, *certificate)
        require("IMPASTO_CONTENT_SIGNER", self.content_signer, *certificate)
        return self

    @property
    def configuration(self) -> Configuration:
        """The environment variables and the lines of the `.env` file."""
        return self._configuration

    @property
    def finds_local_servers(self) -> bool:
        """Whether model servers on this machine are looked for."""
        return not self.production if self.find_local_servers is None else self.find_local_servers

    @property
    def allowed_user_servers(self) -> UserServers:
        """The model servers that users may choose by their address."""
        return UserServers.parse(self.user_servers)

    @property
    def production(self) -> bool:
        """Whether this is a production server, which refuses insecure secrets."""
        return self.environment == "production"

    @property
    def origin(self) -> str:
        """The URL that users open, with scheme and host as browsers write them, without a trailing slash."""
        return origin_of(self.public_url or f"http://localhost:{self.port}")

    @property
    def database(self) -> str:
        """The SQLAlchemy URL of the database in use."""
        return self.database_url or f"sqlite+aiosqlite:///{(self.data_dir / 'impasto.db').as_posix()}"

    @property
    def secrets(self) -> Path:
        """The folder of the key files."""
        return self.secrets_dir or self.data_dir / "secrets"

    @property
    def outbox(self) -> Path:
        """The folder for e-mails if no SMTP server is configured."""
        return self.data_dir / "outbox"

    @property
    def otel_header_values(self) -> dict[str, str]:
        """The headers of requests to the OpenTelemetry receiver."""
        return parse_headers(self.otel_headers.get_secret_value()) if self.otel_headers else {}

    @property
    def api_audience(self) -> str:
        """The audience of bearer tokens from the OpenID Connect provider."""
        return self.oidc_audience or self.oidc_client_id
