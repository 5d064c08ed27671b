"""People: who they are, what they told us, what is theirs."""
