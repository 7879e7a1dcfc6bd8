"""Which numeric addresses are on the public internet.

An own table: ``ipaddress.is_global`` and ``is_private`` change between versions of Python, miss
100.64.0.0/10 in some, and see through some IPv6 wrappers only. Source: the special-purpose address
registries of IANA for IPv4 and IPv6, as of October 2026.
"""

import ipaddress

type Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_V4_SPECIAL = tuple(
    ipaddress.IPv4Network(block)
    for block in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared by carriers
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local, metadata of clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
# The only space that is handed out for global unicast. Mapped, compatible and translated forms of
# IPv4, unique local, link-local and multicast addresses all lie outside.
_V6_GLOBAL = ipaddress.IPv6Network("2000::/3")
_V6_SPECIAL = tuple(
    ipaddress.IPv6Network(block)
    for block in (
        "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarks
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, wraps any IPv4 address
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)


def parse(text: str) -> Address | None:
    """Read a numeric address in its usual form; None where it is none."""
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def has_zone(address: Address) -> bool:
    """Tell whether an address names an interface of this machine, as ``fe80::1%eth0`` does."""
    return isinstance(address, ipaddress.IPv6Address) and address.scope_id is not None


def is_public(address: Address) -> bool:
    """Tell whether anybody on the internet could be at this address."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in block for block in _V4_SPECIAL)
    if has_zone(address) or address not in _V6_GLOBAL:
        return False
    return not any(address in block for block in _V6_SPECIAL)
