"""Administration: people, invitations, agents, runs, usage and the audit log."""
