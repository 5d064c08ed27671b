"""Every setting of the server: an environment variable `IMPASTO_<NAME>`, or a line of `.env`."""

from pathlib import Path
from typing import Any

from pydantic import PrivateAttr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from impasto import Configuration
from impasto.configuration import ENV_FILE
from impasto.sdk.providers import Variable, installed_providers
from impasto.sdk.user_servers import UserServers
from impasto_server.settings.limits import LimitSettings
from impasto_server.settings.server import ServerSettings, SignUpMode
from impasto_server.settings.validators import check_bucket_access, check_sign_up, parse_headers, require

__all__ = ["Settings", "SignUpMode", "provider_variables"]


class Settings(LimitSettings, ServerSettings):
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
        BaseSettings.__init__(self, _env_file=_env_file, **given)
        self._configuration = Configuration.load(_env_file)

    @model_validator(mode="after")
    def _check_combinations(self) -> "Settings":
        check_sign_up(self.sign_up, self.sign_up_domains)
        require(
            "IMPASTO_RUN_BACKEND=celery", self.run_backend == "celery", "IMPASTO_REDIS_URL", self.redis_url
        )
        check_bucket_access(
            self.storage_url,
            {
                "IMPASTO_STORAGE_ACCESS_KEY_ID": self.storage_access_key_id,
                "IMPASTO_STORAGE_SECRET_ACCESS_KEY": self.storage_secret_access_key,
                "IMPASTO_STORAGE_ENDPOINT": self.storage_endpoint,
                "IMPASTO_STORAGE_REGION": self.storage_region,
            },
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
    def otel_header_values(self) -> dict[str, str]:
        """The headers of requests to the OpenTelemetry receiver."""
        return parse_headers(self.otel_headers.get_secret_value()) if self.otel_headers else {}

    @property
    def api_audience(self) -> str:
        """The audience of bearer tokens from the OpenID Connect provider."""
        return self.oidc_audience or self.oidc_client_id


def provider_variables() -> list[Variable]:
    """List the variables of the installed providers, each once, in the providers' order."""
    found = (variable for one in installed_providers().providers.values() for variable in one.variables)
    return list({variable.name: variable for variable in found}.values())
