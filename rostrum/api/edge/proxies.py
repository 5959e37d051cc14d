"""Find the address of the client that sent a request, even if the request came through proxies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from http import HTTPStatus
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import Scope

from rostrum.api.edge.errors import Refused

FORWARDED_FOR = "x-forwarded-for"
ADDED_BY_PROXIES = (
    "forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "x-original-forwarded-for",
    "x-envoy-external-address", "x-amzn-trace-id", "true-client-ip", "cf-connecting-ip", "cf-ray", "cdn-loop",
    "fastly-client-ip", "fly-client-ip", "x-appengine-user-ip", "x-azure-clientip",
)  # fmt: skip
"""Headers of RFC 7239 and 9110, of nginx and Envoy, and of content delivery networks."""


Network = IPv4Network | IPv6Network


class Proxies:
    """Hold the addresses and networks of proxies whose statement about a client's address is trusted."""

    def __init__(self, trusted: Sequence[str] = ()) -> None:
        self._networks: list[Network] = [ip_network(network, strict=False) for network in trusted]

    def find_address(self, scope: Scope) -> str:
        """Return the address of the client; empty if the request came through a socket without addresses.

        If a trusted proxy sent the request, the list in `X-Forwarded-For` is read from its end. The first
        entry that is not a trusted proxy is the client. The entries before it may be forged by the client.
        """
        address = _read_peer(scope)
        if self.is_trusted(address):
            for hop in reversed(_read_hops(Headers(scope=scope))):
                address = hop
                if not self.is_trusted(hop):
                    break
        return address

    def is_secure(self, scope: Scope) -> bool:
        """Return whether the client used HTTPS; if a trusted proxy sent the request, the proxy says so in a
        header.
        """
        if not self.is_trusted(_read_peer(scope)):
            return str(scope.get("scheme")) == "https"
        return Headers(scope=scope).get("x-forwarded-proto", "").strip().lower() == "https"

    def is_trusted(self, address: str) -> bool:
        """Return whether an address belongs to a trusted proxy."""
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._networks)

    def require_direct(self, scope: Scope) -> None:
        """Check that no untrusted proxy forwarded the request.

        Without keys, everybody who reaches the service may delete the archive. A proxy on this machine would
        open the service to everybody who reaches the proxy.

        Raises:
            Refused: a header says that the request came through a proxy.
        """
        names = [name for name in Headers(scope=scope) if is_added_by_proxy(name)]
        if names and not self.is_trusted(_read_peer(scope)):
            message = (
                f"without keys no request from a proxy is served, and this one has the header {names[0]}: "
                "set ROSTRUM_API_KEYS for the service"
            )
            raise Refused(HTTPStatus.MISDIRECTED_REQUEST, "behind_proxy", message)


def is_added_by_proxy(name: str) -> bool:
    """Return whether a header, in lower case, is one that proxies add.

    >>> is_added_by_proxy("x-forwarded-proto"), is_added_by_proxy("via"), is_added_by_proxy("x-request-id")
    (True, True, False)
    """
    return name in ADDED_BY_PROXIES or name.startswith("x-forwarded-")


def _read_peer(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def _read_hops(headers: Headers) -> list[str]:
    """Return the addresses of `X-Forwarded-For` in their order: the client's first, then those of proxies.

    Some proxies add the port of each connection, which is dropped: "10.0.0.1:5678", "[2001:db8::1]:5678".
    """
    joined = ",".join(headers.getlist(FORWARDED_FOR))
    hops = [hop.strip() for hop in joined.split(",") if hop.strip()]
    return [match[1] or match[2] if (match := WITH_PORT.fullmatch(hop)) else hop for hop in hops]


WITH_PORT = re.compile(r"(\d+\.\d+\.\d+\.\d+):\d+|\[([0-9A-Fa-f:.]+)\](?::\d+)?")
