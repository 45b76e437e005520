"""Probes of `mle-audit doctor`: small functions that look at this machine and change nothing."""
