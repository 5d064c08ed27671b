"""Every setting of the server: an environment variable `IMPASTO_<NAME>`, or a line of `.env`."""

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, PrivateAttr, SecretStr, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from impasto import Configuration
from impasto.sdk.providers import Variable, installed_providers
from impasto_server.settings_validators import (
    DatabaseUrl,
    Rate,
    RedisUrl,
    Sender,
    SmtpUrl,
    StorageUrl,
    WebUrl,
)

ENV_FILE = ".env"


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

    host: str = Field(default="127.0.0.1", description="Address the server listens on.")
    port: int = Field(
        default=8000, ge=0, le=65535, description="Port the server listens on; 0 takes a free one."
    )
    public_url: WebUrl = Field(
        default="", description="Address people open; by default http://localhost:<port>."
    )
    environment: Literal["development", "production"] = Field(
        default="development", description="'production' refuses weak secrets and turns the API's pages off."
    )
    forwarded_allow_ips: str = Field(
        default="127.0.0.1", description="Proxies whose X-Forwarded-* headers are believed (comma separated)."
    )
    data_dir: Path = Field(
        default=Path("data"), description="Folder for the database, files, secrets and outbox."
    )
    editor_dir: Path | None = Field(
        default=None,
        description="Folder of the built editor; found by itself when it lies beside the source.",
    )

    agents_dir: Path | None = Field(
        default=None,
        description="Folder of the built-in agents; found by itself when it lies beside the source.",
    )

    database_url: DatabaseUrl = Field(
        default="",
        description="SQLAlchemy address; SQLite in the data folder by default, or postgresql+asyncpg://…",
    )
    database_pool: int = Field(default=20, ge=1, le=500, description="Connections kept open to the database.")
    storage_url: StorageUrl = Field(
        default="",
        description="Where asset files live: a folder of the data folder by default, or s3://bucket/prefix.",
    )
    redis_url: RedisUrl = Field(
        default="", description="Redis for rate limits and the job queue; memory when empty."
    )
    run_backend: Literal["in_process", "celery"] = Field(
        default="in_process", description="Where runs are executed: inside the server, or by Celery workers."
    )
    max_concurrent_runs: int = Field(default=8, ge=1, description="Runs one process executes at a time.")
    max_concurrent_steps: int = Field(default=16, ge=1, description="Steps one run executes at a time.")
    lease_seconds: float = Field(
        default=30,
        ge=1,
        description="Seconds after which the runs of a server that died are taken up by another.",
    )
    run_timeout: float = Field(default=3600, gt=0, description="Seconds after which a run is stopped.")

    reuse_days: int = Field(
        default=30, ge=1, description="Days after which a step's result that nobody reused is forgotten."
    )
    progress_days: int = Field(
        default=30,
        ge=1,
        description="Days after which a finished run forgets its progress and partial texts.",
    )

    secrets_dir: Path | None = Field(
        default=None,
        description="Folder of the signing and encryption keys; 'secrets' in the data folder by default.",
    )
    encryption_key: SecretStr | None = Field(
        default=None,
        description="32 random bytes in base64 for what is encrypted at rest, instead of the key file.",
    )
    identity_token_seconds: int = Field(default=900, ge=5, description="Life of an identity token.")
    refresh_token_days: int = Field(
        default=30, ge=1, description="Life of a refresh cookie that is not used."
    )
    code_seconds: int = Field(default=900, ge=1, description="Life of a code sent by mail.")
    code_tries: int = Field(default=5, ge=1, description="Wrong tries after which a code is void.")
    rate_limit_account: Rate = Field(
        default="10/minute", description="Limit of each identity call for one address and account."
    )
    rate_limit_address: Rate = Field(
        default="300/minute", description="Limit of identity calls for one address."
    )
    rate_limit_mails: Rate = Field(default="20/hour", description="Limit of mails sent to one account.")
    argon2_time_cost: int = Field(default=3, ge=1, description="Argon2id: passes over the memory.")
    argon2_memory_kib: int = Field(default=65536, ge=8, description="Argon2id: memory in KiB.")
    argon2_parallelism: int = Field(default=4, ge=1, description="Argon2id: lanes.")

    oidc_issuer: WebUrl = Field(
        default="", description="An OpenID Connect provider that signs people in, if any."
    )
    oidc_client_id: str = Field(default="", description="This server's client id at that provider.")
    oidc_client_secret: SecretStr | None = Field(
        default=None, description="This server's secret at that provider; public clients have none."
    )
    oidc_audience: str = Field(
        default="", description="Audience its tokens must carry; the client id by default."
    )
    oidc_scopes: str = Field(default="openid profile email", description="Scopes asked of that provider.")
    oidc_name: str = Field(default="single sign-on", description="Name of that provider on the sign-in page.")

    smtp_url: SmtpUrl | None = Field(
        default=None,
        description="smtp://user:password@host:587 (STARTTLS) or smtps://…; outbox files when empty.",
    )
    smtp_allow_plain: bool = Field(
        default=False, description="Allow smtp:// without STARTTLS, for a relay on the same machine."
    )
    smtp_ca_file: Path | None = Field(default=None, description="CA file for the mail server's certificate.")
    mail_from: Sender = Field(default="Impasto <no-reply@localhost>", description="Sender of the mails.")

    daily_quota: int = Field(default=50, ge=0, description="Runs a person may start each day (UTC).")
    book_a_call_url: str = Field(
        default="", description="Where a person books a call when a quota or a private beta stops them."
    )
    run_budget_usd: Decimal | None = Field(default=None, ge=0, description="Money one run may spend at most.")
    allow_private_hosts: bool = Field(
        default=False, description="Let nodes call addresses inside the private network."
    )

    warm: bool = Field(
        default=True, description="Load slow libraries soon after the start, before anybody waits for them."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="How much is logged."
    )
    log_format: Literal["console", "json"] = Field(default="console", description="Form of the log lines.")
    metrics: bool = Field(default=False, description="Answer GET /metrics for Prometheus.")
    json_body_bytes: int = Field(default=2 * 2**20, ge=1024, description="Largest JSON body accepted.")
    upload_bytes: int = Field(default=200 * 2**20, ge=1024, description="Largest upload accepted.")
    image_megapixels: int = Field(default=100, ge=1, description="Largest picture accepted.")

    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="Other origins whose pages may call the API (comma separated)."
    )

    @model_validator(mode="before")
    @classmethod
    def _split_lists(cls, values: dict[str, object]) -> dict[str, object]:
        origins = values.get("cors_origins")
        if isinstance(origins, str):
            values["cors_origins"] = tuple(part.strip() for part in origins.split(",") if part.strip())
        return values

    @model_validator(mode="after")
    def _runs_reach_their_workers(self) -> "Settings":
        if self.run_backend == "celery" and not self.redis_url:
            raise PydanticCustomError(
                "redis_missing",
                "IMPASTO_RUN_BACKEND=celery reaches its workers through Redis: set IMPASTO_REDIS_URL, too.",
            )
        return self

    @model_validator(mode="after")
    def _the_provider_knows_this_server(self) -> "Settings":
        if self.oidc_issuer and not self.oidc_client_id:
            raise PydanticCustomError(
                "client_id_missing", "IMPASTO_OIDC_ISSUER needs this server's IMPASTO_OIDC_CLIENT_ID, too."
            )
        return self

    @property
    def configuration(self) -> Configuration:
        """The environment variables and the lines of the `.env` file."""
        return self._configuration

    @property
    def production(self) -> bool:
        """Whether weak secrets are refused."""
        return self.environment == "production"

    @property
    def origin(self) -> str:
        """The address people open, without a slash at its end."""
        return (self.public_url or f"http://localhost:{self.port}").rstrip("/")

    @property
    def database(self) -> str:
        """The database address in use."""
        return self.database_url or f"sqlite+aiosqlite:///{(self.data_dir / 'impasto.db').as_posix()}"

    @property
    def secrets(self) -> Path:
        """The folder of the key files."""
        return self.secrets_dir or self.data_dir / "secrets"

    @property
    def outbox(self) -> Path:
        """The folder mails are written to when no SMTP server is configured."""
        return self.data_dir / "outbox"

    @property
    def api_audience(self) -> str:
        """The audience an outside provider's tokens must carry."""
        return self.oidc_audience or self.oidc_client_id


def provider_variables() -> list[Variable]:
    """List the variables of the installed providers, each once, in the providers' order."""
    found = (variable for one in installed_providers().providers.values() for variable in one.variables)
    return list({variable.name: variable for variable in found}.values())
