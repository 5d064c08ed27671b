"""Files that runs made or users uploaded, with what made them."""
