"""What an operator sets of the server: addresses, storage, keys, sign-in, e-mail and observability."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings

from impasto_server.settings.validators import (
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
    setting,
)

SignUpMode = Literal["open", "invite", "domains", "closed"]


class ServerSettings(BaseSettings):
    """The fields of `Settings` that say where and how the server runs."""

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

    reuse_days: int = setting(
        30, "Days that the result of a step is kept for reuse after its last use.", ge=1
    )
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
    rate_limit_address: Rate = setting(
        "300/minute", "Rate limit of all identity endpoints for one IP address."
    )
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
    smtp_allow_plain: bool = setting(
        False, "Allow smtp:// without STARTTLS, for a relay on the same machine."
    )
    smtp_ca_file: Path | None = setting(None, "CA file that verifies the certificate of the SMTP server.")
    mail_from: Sender = setting("Impasto <no-reply@localhost>", "Sender of e-mails.")

    book_a_call_url: str = setting(
        "", "URL where users book a call when a quota or a private beta stops them."
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
    cors_origins: CommaSeparated[str] = setting(
        (), "Other origins that may call the API from a browser (comma separated)."
    )
