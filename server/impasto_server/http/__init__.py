"""What every endpoint shares: middleware, errors, pages, preconditions, limits."""
