"""Webhooks: a provider calls when its work is done, which wakes the waiting step."""
