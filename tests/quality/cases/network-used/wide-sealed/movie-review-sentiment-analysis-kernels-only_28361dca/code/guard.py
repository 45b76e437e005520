import socket


class Blocked(socket.socket):
    def connect(self, address):
        if address[0] not in ("127.0.0.1", "localhost"):
            raise PermissionError("no network in this attempt")
        return super().connect(address)


socket.socket = Blocked
