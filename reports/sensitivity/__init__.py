"""How far an agent's figures hold: under other counts of the same attempts, and by chance."""
