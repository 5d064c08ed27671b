"""What operators see and do: runs of all users, and the processes that execute them."""
