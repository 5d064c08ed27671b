"""The audit log: an append-only record of what users, API keys, admins and operators did."""
