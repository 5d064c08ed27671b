"""What admins may see and do: people, invitations, agents, runs, usage and the audit log."""
