"""Carries connections from a port inside the sandbox to the socket of a server outside.

Run inside, by the agent's own interpreter whatever its version, and before the agent:
``relay.py PORT SOCKET AT_ONCE PROGRAM ARGUMENT...``. Processes that belong to nobody forward, each
one connection after the other; this one becomes the program, so that process ids, signals and exit
codes are those without a relay.
"""

import _socket  # the module socket would triple the time until the agent starts
import os
import sys

_BLOCK = 1 << 16
_WAITING = 16  # connections that wait for their turn
_IDLE_S = 3600  # longer than a server ever takes, a model that thinks before it answers too
_STUCK_S = 10  # for a client that does not read
_LAST_WORDS_S = 1


def carry(client: _socket.socket, server: _socket.socket) -> None:
    """Copy both ways until the server has said all it wants to say."""
    import select

    client.settimeout(_STUCK_S)
    server.settimeout(_STUCK_S)
    listened_to = [server, client]
    while True:
        ready = select.select(listened_to, [], [], _IDLE_S)[0]
        if not ready:
            return
        if server in ready:
            block = server.recv(_BLOCK)
            if not block:
                break
            client.sendall(block)
        if client in ready:
            block = client.recv(_BLOCK)
            try:
                if block:
                    server.sendall(block)
                else:
                    server.shutdown(_socket.SHUT_WR)
            except OSError:  # it does not want the rest, and may have said why
                block = b""
            if not block:
                listened_to.remove(client)
    _let_read(client)


def _let_read(client: _socket.socket) -> None:
    """Hang up after the client has; what it still sends would make it lose the answer."""
    client.shutdown(_socket.SHUT_WR)
    client.settimeout(_LAST_WORDS_S)
    while client.recv(_BLOCK):
        pass


def forward(listener: _socket.socket, path: str) -> None:
    """Serve one connection after the other, for ever."""
    import socket

    waiting = socket.socket(fileno=listener.detach())
    while True:
        client = waiting.accept()[0]
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(path)
            carry(client, server)
        except OSError:
            pass
        finally:
            client.close()
            server.close()


def start(port: int, path: str, at_once: int) -> None:
    """Start the forwarding processes; the caller has no child afterwards."""
    listener = _socket.socket()
    listener.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(_WAITING)
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        listener.close()
        return
    try:
        os.setsid()
        if any(os.fork() == 0 for _ in range(at_once)):
            null = os.open(os.devnull, os.O_RDWR)
            for descriptor in range(3):  # the output belongs to the agent
                os.dup2(null, descriptor)
            forward(listener, path)
    finally:  # whatever happens here, the agent is started once
        os._exit(0)


def forbid_core_dumps() -> None:
    """Keep the kernel from handing what crashes to a program outside, see core(5)."""
    import resource

    try:  # noqa: SIM105 - contextlib takes longer to load than all of this
        resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
    except (OSError, ValueError):  # less is allowed already
        pass


def main() -> None:
    """Start forwarding and become the program."""
    try:
        start(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
    except OSError as error:
        words = "[mle-audit] The server behind port %s cannot be reached: %s\n"
        sys.stderr.write(words % (sys.argv[1], error))
        sys.stderr.flush()
    forbid_core_dumps()
    os.execvp(sys.argv[4], sys.argv[4:])  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    main()
