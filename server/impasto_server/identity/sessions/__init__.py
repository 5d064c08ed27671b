"""Sessions, their tokens and cookies, and the devices that they run on."""
