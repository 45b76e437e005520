"""What an attempt's code and logs say it did."""
