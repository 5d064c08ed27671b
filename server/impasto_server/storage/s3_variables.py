"""Variables of obstore, which stores files in S3.

It reads the environment only, so the server hands it what its configuration has.
"""

from impasto.sdk.providers import Variable

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
