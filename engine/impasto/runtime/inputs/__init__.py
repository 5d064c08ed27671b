"""The arguments of a step: resolved before it starts, or when the function awaits a lazy one."""
