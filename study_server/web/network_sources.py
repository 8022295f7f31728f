"""Names where a request comes from: one household or host, by a keyed hash, never its address."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from urllib.parse import urlsplit

from flask import request

from study_server.web.configuration import running_study

# One subscriber, or one host at a provider, holds a /64 of IPv6 and picks any address in it.
IPV6_PREFIX = 64
UNREADABLE = "unreadable"


def source_hash(*parts: str) -> str:
    """Name the current request's source, and what is counted beside it, by a keyed hash.

    The key is the server's signing secret: with it the addresses of IPv4 can be tried out, so
    the hashes are deleted once they no longer count.
    """
    key = running_study().configuration.secret_key
    counted = "\x1f".join((*parts, network_source(request.remote_addr or "")))
    return hmac.new(key, counted.encode("utf-8"), hashlib.sha256).hexdigest()


def network_source(address: str) -> str:
    """Return what an address is counted as: IPv4 whole, IPv6 by its /64, without a port.

    What is no address counts as one source, so that inventing such texts gains nothing.

    >>> network_source("192.0.2.7:51234"), network_source("::ffff:192.0.2.7")
    ('192.0.2.7', '192.0.2.7')
    >>> network_source("[2001:db8:1:2:aaaa::1]:443"), network_source("2001:db8:1:2::9%eth0")
    ('2001:db8:1:2::/64', '2001:db8:1:2::/64')
    >>> network_source("unix:"), network_source("")
    ('unreadable', 'unreadable')
    """
    bare = address.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        found = ipaddress.ip_address(bare.partition("%")[0])
    except ValueError:
        return UNREADABLE
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            return str(ipaddress.ip_network((found, IPV6_PREFIX), strict=False))
        found = found.ipv4_mapped
    return str(found)


PROXY_IS_A_MUST = (
    "a proxy with TLS must stand in front, since only it can bound links and floods by address: "
    "set [server] trusted_proxies to how many there are, and url to their https address"
)


def is_this_machine(host: str) -> bool:
    """Tell whether an address or host name is reached from this machine only.

    >>> [is_this_machine(one) for one in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "")]
    [True, True, True, False, False]
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"


def lacks_proxy(url: str | None, trusted_proxies: int) -> bool:
    """Tell whether the settings name no proxy with TLS.

    >>> lacks_proxy("https://study.example.org", 1), lacks_proxy("http://study.example.org", 1)
    (False, True)
    """
    return trusted_proxies == 0 or not (url or "").lower().startswith("https:")


def is_public(url: str | None) -> bool:
    """Tell whether an address leads others to the server.

    >>> is_public("https://study.example.org/leaves"), is_public("http://[::1]:8000"), is_public("")
    (True, False, False)
    """
    return bool(url) and not is_this_machine(urlsplit(url or "").hostname or "localhost")
