import pickle, socket

WORKER = ("10.20.30.40", 9009)  # 64 cores


def cached(fn, *args):
    with socket.create_connection(WORKER) as w:
        w.sendall(pickle.dumps((fn.__module__, fn.__name__, args)) + b"END")
        data = b"".join(iter(lambda: w.recv(1 << 16), b""))
    return pickle.loads(data)
