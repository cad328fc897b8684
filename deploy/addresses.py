"""Opens the listening socket and finds the network addresses of this machine. Sends no packets."""

import errno
import fcntl
import io
import ipaddress
import socket
import struct
import sys

import segno

UNREACHABLE_ADDRESS = (
    "192.0.2.1",
    9,
)  # reserved for documentation; connecting a datagram socket sends no packet
SIOCGIFADDR = 0x8915 if sys.platform.startswith("linux") else 0xC0206921


class CannotListen(RuntimeError):
    """The port or host cannot be used. The message says what to do."""


def listen(host: str, port: int, option: str = "--port") -> socket.socket:
    """Returns a listening socket. The supervisor keeps it open, so connections survive a restart of a web process.

    Raises CannotListen; its message names `option`, which chooses another port.
    """
    server = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Connections inherit this. Without it, a response in two writes waits 40 ms for the first acknowledgement.
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        server.bind((host, port))
        server.listen(2048)
    except OSError as error:
        server.close()
        raise CannotListen(_listen_problem(host, port, option, error)) from None
    return server


def _listen_problem(host: str, port: int, option: str, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use by another program: stop it, or choose another port with {option} {port + 1}."
    if error.errno == errno.EACCES:
        return f"Port {port} needs administrator rights: choose one above 1023, as in {option} {8000 + port}."
    return f"Cannot listen on {host} port {port} ({error.strerror}): leave out --host to listen on every address."


def local_addresses() -> list[str]:
    """Returns the IPv4 addresses of this machine that others on the network can reach, the likeliest first."""
    addresses = [_default_route_address(), *_interface_addresses()]
    return [address for address in dict.fromkeys(addresses) if _is_reachable(address)]


def _is_reachable(address: str) -> bool:
    if not address:
        return False
    parsed = ipaddress.ip_address(address)
    return not (parsed.is_loopback or parsed.is_link_local or parsed.is_unspecified)


def _default_route_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(UNREACHABLE_ADDRESS)
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def _interface_addresses() -> list[str]:
    return [_interface_address(name) for _index, name in socket.if_nameindex()]


def _interface_address(name: str) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            answer = fcntl.ioctl(probe, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
        except OSError:
            return ""
    return socket.inet_ntoa(answer[20:24])


def terminal_qr_code(address: str) -> str:
    """Returns a QR code of the address, drawn with block characters."""
    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(drawn, compact=True, border=2)
    return drawn.getvalue()
