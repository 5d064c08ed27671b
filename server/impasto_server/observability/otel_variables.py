"""Variables of OpenTelemetry.

It reads the environment only, so the server hands it what its configuration has.
"""

from impasto.sdk.providers import Variable

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
