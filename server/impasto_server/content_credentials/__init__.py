"""Content credentials (C2PA): signs the files that runs generate, and reads those of any file."""
