"""Every setting of the server: an environment variable `IMPASTO_<NAME>`, or a line of `.env`."""

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, PrivateAttr, SecretStr, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from impasto import Configuration
from impasto.configuration import ENV_FILE
from impasto.sdk.providers import Variable, installed_providers
from impasto_server.settings_validators import (
    Contact,
    DatabaseUrl,
    Domain,
    Plugins,
    Rate,
    RedisUrl,
    Sender,
    SmtpUrl,
    StorageUrl,
    Token,
    WebUrl,
    check_sign_up,
    require,
)

SignUpMode = Literal["open", "invite", "domains", "closed"]


class Settings(BaseSettings):
    """The operator's settings of the server. `impasto settings` lists every field with its description.

    `configuration` is what they were read from. Provider keys and other variables that the server itself
    does not know are taken from there too, so that a line of `.env` counts for all of them.
    """

    model_config = SettingsConfigDict(env_prefix="IMPASTO_", extra="ignore", frozen=True)

    _configuration: Configuration = PrivateAttr()

    def __init__(self, _env_file: Path | str | None = ENV_FILE, **given: Any) -> None:
        super().__init__(_env_file=_env_file, **given)
        self._configuration = Configuration.load(_env_file)

    host: str = Field(default="127.0.0.1", description="IP address to listen on.")
    port: int = Field(default=8000, ge=0, le=65535, description="Port to listen on; 0 for any free port.")
    public_url: WebUrl = Field(
        default="", description="URL that users open; http://localhost:<port> by default."
    )
    environment: Literal["development", "production"] = Field(
        default="development",
        description="'production' refuses insecure secrets and turns off /docs and /openapi.json.",
    )
    forwarded_allow_ips: str = Field(
        default="127.0.0.1", description="Proxies whose X-Forwarded-* headers are trusted (comma separated)."
    )
    data_dir: Path = Field(
        default=Path("data"), description="Folder for the database, files, secrets and outbox."
    )
    editor_dir: Path | None = Field(
        default=None,
        description="Folder of the built editor; found automatically in a source checkout.",
    )

    agents_dir: Path | None = Field(
        default=None,
        description="Folder of the built-in agents; found automatically in a source checkout.",
    )

    database_url: DatabaseUrl = Field(
        default="",
        description="SQLAlchemy URL: SQLite in the data folder by default, or postgresql+asyncpg://…",
    )
    database_pool: int = Field(default=20, ge=1, le=500, description="Connections kept open to the database.")
    storage_url: StorageUrl = Field(
        default="",
        description="Storage of asset files: a folder in the data folder by default, or s3://bucket/prefix.",
    )
    redis_url: RedisUrl = Field(
        default="",
        description="Redis URL for rate limits, events and the job queue; in memory by default.",
    )
    run_backend: Literal["in_process", "celery"] = Field(
        default="in_process",
        description="Where runs are executed: in the server process, or by Celery workers.",
    )
    max_concurrent_runs: int = Field(
        default=8, ge=1, description="Maximum number of concurrent runs of a process."
    )
    reserved_runs: int = Field(
        default=4,
        ge=0,
        description="Places of a process beyond max_concurrent_runs for launches of users who have none.",
    )
    dispatch_seconds: float = Field(
        default=5,
        gt=0,
        le=60,
        description="Seconds after which a process looks for waiting runs even without a message.",
    )
    max_concurrent_steps: int = Field(
        default=16, ge=1, description="Maximum number of concurrent steps of a run."
    )
    lease_seconds: float = Field(
        default=30,
        ge=1,
        description="Seconds after which another process resumes the runs of a process that died.",
    )
    run_timeout: float = Field(default=3600, gt=0, description="Maximum duration of a run, in seconds.")

    reuse_days: int = Field(
        default=30, ge=1, description="Days that the result of a step is kept for reuse after its last use."
    )
    progress_days: int = Field(
        default=30,
        ge=1,
        description="Days that a finished run keeps its progress events and partial texts.",
    )

    audit_days: int = Field(
        default=365, ge=31, description="Days that the audit log keeps an entry; at least 31."
    )

    secrets_dir: Path | None = Field(
        default=None,
        description="Folder of the signing and encryption keys; 'secrets' in the data folder by default.",
    )
    encryption_key: SecretStr | None = Field(
        default=None,
        description="Encryption key of stored secrets, 32 random bytes in base64; replaces the key file.",
    )
    content_credentials: bool = Field(
        default=True, description="Sign generated files with content credentials (C2PA)."
    )
    content_organization: str = Field(
        default="",
        max_length=60,
        description="Organization that signed files name; the files name none by default.",
    )
    content_certificate_file: Path | None = Field(
        default=None,
        description="PEM file with the certificate that signs files, then its issuers; "
        "an authority of this installation by default.",
    )
    content_key_file: Path | None = Field(
        default=None, description="PEM file with the private key of IMPASTO_CONTENT_CERTIFICATE_FILE."
    )
    content_signer: str = Field(
        default="",
        description="Name of an installed content signer, such as one for a KMS, instead of the key file.",
    )
    content_trust_file: Path | None = Field(
        default=None, description="PEM file with further authorities whose signatures count as trusted."
    )
    content_credentials_processes: int = Field(
        default=1,
        ge=1,
        le=16,
        description="Maximum number of processes that sign and read files.",
    )
    content_credentials_seconds: float = Field(
        default=10, gt=0, description="Maximum time that signing or reading a file may take, in seconds."
    )
    content_credentials_memory_mib: int = Field(
        default=1024,
        ge=256,
        description="Maximum memory that signing or reading a file may take, in MiB (on Linux).",
    )

    identity_token_seconds: int = Field(
        default=900, ge=5, description="Lifetime of an identity token, in seconds."
    )
    refresh_token_days: int = Field(
        default=30, ge=1, description="Lifetime of an unused refresh cookie, in days."
    )
    code_seconds: int = Field(default=900, ge=1, description="Lifetime of a code sent by e-mail, in seconds.")
    code_tries: int = Field(default=5, ge=1, description="Wrong attempts after which a code becomes invalid.")
    code_tries_per_day: int = Field(
        default=10, ge=1, description="Wrong codes that are accepted for one e-mail address per day (UTC)."
    )
    sign_in_tries: int = Field(
        default=10,
        ge=1,
        description="Failed sign-ins to an account after which each further one must wait twice as long.",
    )
    sign_in_max_delay: int = Field(
        default=900, ge=1, description="Longest wait between two failed sign-ins to an account, in seconds."
    )
    rate_limit_account: Rate = Field(
        default="10/minute",
        description="Rate limit of each identity endpoint for one account and IP address (IPv6: /64).",
    )
    rate_limit_address: Rate = Field(
        default="300/minute", description="Rate limit of all identity endpoints for one IP address."
    )
    rate_limit_sign_up: Rate = Field(
        default="20/hour", description="Rate limit of sign-ups from one IP address."
    )
    rate_limit_mails: Rate = Field(default="20/hour", description="Rate limit of e-mails to one account.")
    rate_limit_mails_address: Rate = Field(
        default="5/hour",
        description="Rate limit of e-mails with a code that one IP address causes to one account.",
    )
    argon2_time_cost: int = Field(default=3, ge=1, description="Argon2id: number of iterations.")
    argon2_memory_kib: int = Field(default=65536, ge=8, description="Argon2id: memory in KiB.")
    argon2_parallelism: int = Field(default=4, ge=1, description="Argon2id: degree of parallelism.")

    oidc_issuer: WebUrl = Field(
        default="", description="Issuer URL of an OpenID Connect provider for single sign-on."
    )
    oidc_client_id: str = Field(
        default="", description="Client id of this server at the OpenID Connect provider."
    )
    oidc_client_secret: SecretStr | None = Field(
        default=None, description="Client secret at the OpenID Connect provider; empty for a public client."
    )
    oidc_audience: str = Field(
        default="",
        description="Audience of bearer tokens from the OpenID Connect provider; the client id by default.",
    )
    oidc_scopes: str = Field(
        default="openid profile email", description="Scopes requested from the OpenID Connect provider."
    )
    oidc_name: str = Field(
        default="single sign-on", description="Name of the OpenID Connect provider on the sign-in page."
    )

    sign_up: SignUpMode = Field(
        default="open",
        description="Who may sign up: open (everyone), invite, domains (IMPASTO_SIGN_UP_DOMAINS) or closed.",
    )
    sign_up_domains: Annotated[tuple[Domain, ...], NoDecode] = Field(
        default=(), description="Domains of the e-mail addresses that may sign up (comma separated)."
    )
    invitation_days: int = Field(default=7, ge=1, le=90, description="Days that an invitation is valid.")

    smtp_url: SmtpUrl | None = Field(
        default=None,
        description="smtp://user:password@host:587 (STARTTLS) or smtps://…; e-mails are files by default.",
    )
    smtp_allow_plain: bool = Field(
        default=False, description="Allow smtp:// without STARTTLS, for a relay on the same machine."
    )
    smtp_ca_file: Path | None = Field(
        default=None, description="CA file that verifies the certificate of the SMTP server."
    )
    mail_from: Sender = Field(default="Impasto <no-reply@localhost>", description="Sender of e-mails.")

    daily_quota: int = Field(default=50, ge=0, description="Runs that a user may start per day (UTC).")
    limit_stored_bytes: int = Field(
        default=10 * 10**9, ge=0, description="Bytes of assets that a user may store."
    )
    limit_assets: int = Field(default=20_000, ge=0, description="Assets that a user may have.")
    limit_agents: int = Field(default=500, ge=0, description="Agents that a user may have.")
    limit_brands: int = Field(default=100, ge=0, description="Brands that a user may have.")
    limit_versions: int = Field(
        default=200,
        ge=1,
        description="Published versions and saves kept for an agent, and published versions of a brand.",
    )
    limit_concurrent_runs: int = Field(
        default=4, ge=1, description="Runs of a user that are executed at a time; others wait."
    )
    limit_queued_runs: int = Field(default=1000, ge=1, description="Runs of a user that may wait.")
    limit_streams: int = Field(
        default=20, ge=1, description="Event streams that a user may have open at a server process."
    )
    limit_uploads: int = Field(default=4, ge=1, description="Uploads of a user that may be in progress.")
    limit_exports: int = Field(
        default=1, ge=1, description="Exports (zip files) of a user that may be in progress."
    )
    limit_usd_per_day: Decimal = Field(
        default=Decimal(5), ge=0, description="US dollars that a user may spend on the server's keys per day."
    )
    limit_usd_per_month: Decimal = Field(
        default=Decimal(50),
        ge=0,
        description="US dollars that a user may spend on the server's keys per calendar month.",
    )
    book_a_call_url: str = Field(
        default="", description="URL where users book a call when a quota or a private beta stops them."
    )
    run_budget_usd: Decimal | None = Field(
        default=None, ge=0, description="Maximum cost of a run, in US dollars."
    )
    allow_unpriced_models: bool = Field(
        default=False,
        description="Allow models of unknown price on the server's keys: no limit counts what they cost.",
    )
    allow_private_hosts: bool = Field(
        default=False, description="Allow nodes to call hosts in private networks."
    )

    warm: bool = Field(
        default=True, description="Load slow libraries in the background soon after the start."
    )
    plugins: Plugins = Field(
        default="",
        description="Distributions whose plugins may load, such as acme==1.2.0#sha256=…; all by default.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Minimum level of log lines."
    )
    log_format: Literal["console", "json"] = Field(default="console", description="Format of log lines.")
    security_contact: Contact = Field(
        default="",
        description="E-mail address or URL for reports of vulnerabilities, in /.well-known/security.txt.",
    )
    metrics: bool = Field(
        default=False, description="Serve GET /metrics for Prometheus; needs IMPASTO_METRICS_TOKEN."
    )
    metrics_token: Token | None = Field(
        default=None, description="Bearer token that GET /metrics requires, at least 16 characters."
    )
    json_body_bytes: int = Field(
        default=2 * 2**20, ge=1024, description="Maximum size of a JSON body, in bytes."
    )
    upload_bytes: int = Field(
        default=200 * 2**20, ge=1024, description="Maximum size of an upload, in bytes."
    )
    head_seconds: float = Field(
        default=15, gt=0, description="Time in which the head of a request must arrive, in seconds."
    )
    body_seconds: float = Field(
        default=30, gt=0, description="Time in which a JSON body must arrive, in seconds."
    )
    upload_min_rate: int = Field(
        default=16 * 1024,
        ge=1,
        description="Minimum rate of an upload, in bytes per second; it has IMPASTO_BODY_SECONDS more.",
    )
    json_values: int = Field(
        default=150_000,
        ge=1000,
        description="Maximum number of values (objects, lists and scalars) in a JSON body.",
    )
    image_megapixels: int = Field(default=100, ge=1, description="Maximum size of an image, in megapixels.")

    max_flow_nodes: int = Field(default=5000, ge=1, description="Maximum number of nodes of a flow.")
    max_flow_edges: int = Field(default=20_000, ge=1, description="Maximum number of edges of a flow.")
    max_flow_steps: int = Field(
        default=10_000,
        ge=1,
        description="Maximum number of steps of a flow, with the agents that it runs as nodes.",
    )
    max_flow_agents: int = Field(
        default=100, ge=1, description="Maximum number of other agents that a flow runs as nodes."
    )
    max_flow_bytes: int = Field(
        default=4 * 2**20,
        ge=1024,
        description="Maximum size of a flow with the agents that it runs, as JSON, in bytes.",
    )
    max_settings_bytes: int = Field(
        default=2**20,
        ge=1024,
        description="Maximum size of the settings of all nodes of a flow, as JSON, in bytes.",
    )
    max_setting_values: int = Field(
        default=10_000,
        ge=100,
        description="Maximum number of values (objects, lists, scalars) in the settings of a node; "
        "bounds JSON Schemas.",
    )
    max_setting_depth: int = Field(
        default=64, ge=8, description="Maximum depth of the settings of a node; bounds JSON Schemas."
    )
    compile_seconds: float = Field(
        default=2, gt=0, description="Maximum time that checking a flow may take, in seconds."
    )
    compile_memory_mib: int = Field(
        default=512,
        ge=64,
        description="Maximum memory that checking a flow may take, in MiB (on Linux).",
    )
    compile_processes: int = Field(
        default=2, ge=1, le=64, description="Maximum number of processes that check flows."
    )
    compile_cache_bytes: int = Field(
        default=32 * 2**20, ge=0, description="Memory for the results of checked flows, in bytes."
    )
    rate_limit_compilations: Rate = Field(
        default="300/minute",
        description="Rate limit of checking flows for one user; each tenth of a second counts as one.",
    )

    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="Other origins that may call the API from a browser (comma separated)."
    )

    @model_validator(mode="before")
    @classmethod
    def _split_lists(cls, values: dict[str, object]) -> dict[str, object]:
        for name in ("cors_origins", "sign_up_domains"):
            given = values.get(name)
            if isinstance(given, str):
                values[name] = tuple(part.strip() for part in given.split(",") if part.strip())
        return values

    @model_validator(mode="after")
    def _check_combinations(self) -> "Settings":
        check_sign_up(self.sign_up, self.sign_up_domains)
        require(
            "IMPASTO_RUN_BACKEND=celery", self.run_backend == "celery", "IMPASTO_REDIS_URL", self.redis_url
        )
        require("IMPASTO_METRICS=true", self.metrics, "IMPASTO_METRICS_TOKEN", self.metrics_token)
        require("IMPASTO_OIDC_ISSUER", self.oidc_issuer, "IMPASTO_OIDC_CLIENT_ID", self.oidc_client_id)
        require(
            "IMPASTO_CONTENT_KEY_FILE",
            self.content_key_file,
            "IMPASTO_CONTENT_CERTIFICATE_FILE",
            self.content_certificate_file,
        )
        require(
            "IMPASTO_CONTENT_SIGNER",
            self.content_signer,
            "IMPASTO_CONTENT_CERTIFICATE_FILE",
            self.content_certificate_file,
        )
        return self

    @property
    def configuration(self) -> Configuration:
        """The environment variables and the lines of the `.env` file."""
        return self._configuration

    @property
    def production(self) -> bool:
        """Whether this is a production server, which refuses insecure secrets."""
        return self.environment == "production"

    @property
    def origin(self) -> str:
        """The URL that users open, without a trailing slash."""
        return (self.public_url or f"http://localhost:{self.port}").rstrip("/")

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
    def api_audience(self) -> str:
        """The audience of bearer tokens from the OpenID Connect provider."""
        return self.oidc_audience or self.oidc_client_id


def provider_variables() -> list[Variable]:
    """List the variables of the installed providers, each once, in the providers' order."""
    found = (variable for one in installed_providers().providers.values() for variable in one.variables)
    return list({variable.name: variable for variable in found}.values())
