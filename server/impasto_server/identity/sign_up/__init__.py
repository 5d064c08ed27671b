"""Sign-up, invitations and the rules of who may create an account."""
