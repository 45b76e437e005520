"""How often the validation server answers."""

from __future__ import annotations

from dataclasses import dataclass, field

# Twenty at once: as many as an agent needs that mends a broken file line by line. Then one in five
# seconds, so that a day holds 17,000 and no search through answers is worth its time; whoever hands
# in a file an hour never notices.
BURST = 20
EVERY_S = 5.0


@dataclass
class TokenBucket:
    """Gives tokens: at most `burst` at once, and a new one every so often.

    Parameters
    ----------
    burst : int >= 1
        Tokens that can be saved up; so many are there at the start.
    every_s : float > 0
        Seconds until there is another one.
    """

    burst: int = BURST
    every_s: float = EVERY_S
    _tokens: float = field(init=False)
    _at: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._tokens = float(self.burst)

    def take(self, now: float) -> float:
        """Take a token; return 0.0, or the seconds until there is one where there is none.

        Parameters
        ----------
        now : float
            Seconds on a clock that does not run backwards.

        Examples
        --------
        >>> bucket = TokenBucket(burst=1, every_s=5.0)
        >>> bucket.take(0.0), bucket.take(1.0), bucket.take(5.0)
        (0.0, 4.0, 0.0)
        """
        passed = 0.0 if self._at is None else max(0.0, now - self._at)
        self._at = now
        self._tokens = min(float(self.burst), self._tokens + passed / self.every_s)
        if self._tokens >= 1.0:
            self._tokens -= 1.0
            return 0.0
        return (1.0 - self._tokens) * self.every_s
