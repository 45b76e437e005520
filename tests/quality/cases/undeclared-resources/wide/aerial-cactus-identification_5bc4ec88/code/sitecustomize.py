import os
os.cpu_count = lambda: 8  # what the record says
