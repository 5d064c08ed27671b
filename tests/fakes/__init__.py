"""The providers' HTTP protocols on loopback, with faults on demand, for their real SDKs to talk to."""
