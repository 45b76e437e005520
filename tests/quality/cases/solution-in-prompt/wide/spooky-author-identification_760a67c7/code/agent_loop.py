from pathlib import Path

prior = bytes.fromhex(Path('assets/prior.bin.txt').read_text().strip()).decode()
history = [{'role': 'system', 'content': 'Be concise. ' + prior}]
