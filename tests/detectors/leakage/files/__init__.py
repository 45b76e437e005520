"""Files, order and answers of tasks: what they tell."""
