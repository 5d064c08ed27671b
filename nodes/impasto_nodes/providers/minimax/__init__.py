"""MiniMax: the Hailuo models of video."""
