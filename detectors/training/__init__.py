"""What an attempt's code and logs say of its trainings; nothing is run."""
