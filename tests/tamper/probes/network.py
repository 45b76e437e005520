"""The network, and the sockets of this machine."""

from __future__ import annotations

import os
import socket
from typing import Any

from tests.tamper.probes.inside import AbsentError, probe, read, targets

_SECONDS = 2


def _says_hello(family: int, address: Any, kind: int = socket.SOCK_STREAM) -> bool:
    with socket.socket(family, kind) as connection:
        connection.settimeout(_SECONDS)
        connection.connect(address)
        connection.send(b"hello")
        return connection.recv(16) == b"hello"


@probe("network")
def tcp():
    return _says_hello(socket.AF_INET, ("127.0.0.1", targets["tcp"]))


@probe("network")
def udp():
    return _says_hello(socket.AF_INET, ("127.0.0.1", targets["udp"]), socket.SOCK_DGRAM)


@probe("network")
def ipv6():
    if not targets["tcp6"]:
        raise AbsentError("the machine has no IPv6")
    return _says_hello(socket.AF_INET6, ("::1", targets["tcp6"]))


@probe("network")
def ipv4_mapped_into_ipv6():
    if not targets["tcp6"]:
        raise AbsentError("the machine has no IPv6")
    return _says_hello(socket.AF_INET6, ("::ffff:127.0.0.1", targets["tcp"]))


@probe("network")
def ask_for_a_name():
    question = (
        b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x07example\x03org\x00\x00\x01\x00\x01"
    )
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        connection.settimeout(_SECONDS)
        connection.sendto(question, ("127.0.0.1", targets["udp"]))
        return connection.recv(512).startswith(b"\x12\x34")


@probe("network")
def resolver_of_the_machine():
    try:
        return b"nameserver" in read("/etc/resolv.conf")
    except FileNotFoundError:
        if targets["is_inside"]:
            raise
        raise AbsentError("the machine has no resolver") from None


@probe("network")
def raw_socket():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()
    return True


@probe("network")
def packet_socket():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close()
    return True


@probe("network")
def vsock_to_the_host_of_this_machine():
    try:
        socket.socket(40, socket.SOCK_STREAM).close()
    except OSError:
        if targets["is_inside"]:
            raise
        raise AbsentError("the kernel has no vsock") from None
    return True


@probe("network")
def cards_of_the_machine():
    found = [name for _, name in socket.if_nameindex() if name != "lo"]
    if not found and not targets["is_inside"]:
        raise AbsentError("the machine has no card but its loopback")
    return found


@probe("network")
def connections_of_the_machine():
    return f":{targets['tcp']:04X} " in read("/proc/net/tcp").decode()


@probe("network")
def listen_where_the_host_hears():
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            server.bind(("127.0.0.1", targets["tcp"]))
        except OSError:
            return True  # somebody else is there: it is the host's loopback
        return False


@probe("host-sockets")
def by_file():
    return _says_hello(socket.AF_UNIX, targets["unix"])


@probe("host-sockets")
def by_abstract_name():
    return _says_hello(socket.AF_UNIX, "\0" + targets["abstract"])


@probe("host-sockets")
def by_link_in_its_own_folder():
    os.chdir(os.environ["LOGS_DIR"])  # the name of a socket must be short
    os.symlink(targets["unix"], "s")
    try:
        return _says_hello(socket.AF_UNIX, "s")
    finally:
        os.unlink("s")


@probe("host-sockets")
def listed_by_the_kernel():
    return targets["abstract"].encode() in read("/proc/net/unix")


@probe("host-sockets")
def those_of_well_known_services():
    places: tuple[str, ...] = (
        "/var/run/docker.sock",
        "/run/docker.sock",
        "/run/containerd/containerd.sock",
    )
    places += ("/run/dbus/system_bus_socket", "/run/systemd/private", "/tmp/.X11-unix/X0")  # noqa: S108
    places += (f"/run/user/{os.getuid()}/bus", "/run/snapd.socket", "/run/podman/podman.sock")
    found = [path for path in places if os.path.exists(path)]
    if not found and not targets["is_inside"]:
        raise AbsentError("none of these services runs here")
    return found


@probe("host-sockets")
def abstract_name_of_x11():
    return _says_hello(socket.AF_UNIX, "\0" + targets["abstract"] + "-X0")
