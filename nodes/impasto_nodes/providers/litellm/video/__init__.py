"""Video through litellm: jobs that are ordered, remembered, polled and fetched."""
