"""Jobs at providers that run for a while and are paid: their inputs, their memory and their bill."""
