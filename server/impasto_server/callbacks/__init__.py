"""Calls from outside that wake a waiting step: a provider telling that its work is done."""
