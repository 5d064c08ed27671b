"""Variables besides `IMPASTO_<NAME>`: those of providers, of obstore (S3) and of OpenTelemetry.

The libraries read the environment only, so the server hands them what its configuration has.
"""

from dataclasses import replace

from impasto.sdk.providers import Variable, installed_providers

S3_VARIABLES = (
    Variable(
        name="AWS_ACCESS_KEY_ID",
        help="Access key of the S3 bucket without IMPASTO_STORAGE_ACCESS_KEY_ID.",
        is_secret=True,
    ),
    Variable(
        name="AWS_SECRET_ACCESS_KEY",
        help="Secret of the access key of the S3 bucket without IMPASTO_STORAGE_SECRET_ACCESS_KEY.",
        is_secret=True,
    ),
    Variable(name="AWS_TOKEN", help="Another name of AWS_SESSION_TOKEN for the S3 bucket.", is_secret=True),
    Variable(
        name="AWS_SESSION_TOKEN",
        help="Session token of a temporary access key of the S3 bucket.",
        is_secret=True,
    ),
    Variable(name="AWS_REGION", help="Region of the S3 bucket without IMPASTO_STORAGE_REGION."),
    Variable(name="AWS_DEFAULT_REGION", help="Region of the S3 bucket without AWS_REGION."),
    Variable(name="AWS_ENDPOINT", help="URL of an S3-compatible service without AWS_ENDPOINT_URL."),
    Variable(name="AWS_ENDPOINT_URL", help="URL of an S3-compatible service without AWS_ENDPOINT_URL_S3."),
    Variable(
        name="AWS_ENDPOINT_URL_S3", help="URL of an S3-compatible service without IMPASTO_STORAGE_ENDPOINT."
    ),
    Variable(
        name="AWS_VIRTUAL_HOSTED_STYLE_REQUEST", help="true if the endpoint's host name has the S3 bucket's."
    ),
    Variable(name="AWS_ROLE_ARN", help="Role to assume with AWS_WEB_IDENTITY_TOKEN_FILE for the S3 bucket."),
    Variable(name="AWS_ROLE_SESSION_NAME", help="Name of the session of AWS_ROLE_ARN."),
    Variable(name="AWS_WEB_IDENTITY_TOKEN_FILE", help="File with the token for AWS_ROLE_ARN."),
    Variable(
        name="AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", help="Path of the S3 bucket's credentials in ECS."
    ),
    Variable(name="AWS_CONTAINER_CREDENTIALS_FULL_URI", help="URL of the S3 bucket's credentials in EKS."),
    Variable(
        name="AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
        help="File with the token of AWS_CONTAINER_CREDENTIALS_FULL_URI.",
    ),
    Variable(name="AWS_METADATA_ENDPOINT", help="URL of the metadata service of EC2, if it is another one."),
    Variable(name="AWS_IMDSV1_FALLBACK", help="true allows version 1 of the metadata service of EC2."),
    Variable(name="AWS_SKIP_SIGNATURE", help="true sends unsigned requests to the S3 bucket."),
    Variable(name="AWS_UNSIGNED_PAYLOAD", help="true leaves bodies out of the signatures for the S3 bucket."),
    Variable(name="AWS_CHECKSUM_ALGORITHM", help="Checksum of uploads to the S3 bucket, such as SHA256."),
    Variable(
        name="AWS_SERVER_SIDE_ENCRYPTION",
        help="Encryption of objects in the S3 bucket: AES256, aws:kms, sse-c.",
    ),
    Variable(name="AWS_SSE_KMS_KEY_ID", help="KMS key for AWS_SERVER_SIDE_ENCRYPTION=aws:kms."),
    Variable(name="AWS_SSE_BUCKET_KEY_ENABLED", help="true encrypts all objects with the S3 bucket's key."),
    Variable(
        name="AWS_SSE_CUSTOMER_KEY_BASE64",
        help="Encryption key for AWS_SERVER_SIDE_ENCRYPTION=sse-c, in base64.",
        is_secret=True,
    ),
    Variable(name="AWS_REQUEST_PAYER", help="true if the S3 bucket charges who asks it."),
)

OTEL_VARIABLES = (
    Variable(
        name="OTEL_EXPORTER_OTLP_CERTIFICATE",
        help="CA file that verifies the certificate of IMPASTO_OTEL_ENDPOINT.",
    ),
    Variable(
        name="OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE",
        help="Client certificate for IMPASTO_OTEL_ENDPOINT (file).",
    ),
    Variable(
        name="OTEL_EXPORTER_OTLP_CLIENT_KEY",
        help="Private key file of OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE.",
    ),
    Variable(
        name="OTEL_RESOURCE_ATTRIBUTES",
        help="Further attributes of the service in traces: name=value (comma separated).",
    ),
    Variable(
        name="OTEL_BSP_MAX_QUEUE_SIZE",
        help="Spans that wait to be sent; further ones are dropped.",
        default="2048",
    ),
    Variable(
        name="OTEL_BSP_MAX_EXPORT_BATCH_SIZE", help="Maximum number of spans in a request.", default="512"
    ),
    Variable(
        name="OTEL_BSP_SCHEDULE_DELAY",
        help="Milliseconds between two requests to IMPASTO_OTEL_ENDPOINT.",
        default="5000",
    ),
)


def all_variables() -> list[Variable]:
    """Return each variable of the providers and libraries once; a shared one has all of its meanings."""
    found: dict[str, Variable] = {}
    for one in (*installed_providers().variables, *S3_VARIABLES, *OTEL_VARIABLES):
        first = found.get(one.name)
        found[one.name] = replace(first, help=f"{first.help} {one.help}") if first else one
    return list(found.values())
