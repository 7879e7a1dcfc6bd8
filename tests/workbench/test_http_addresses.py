"""Which numeric addresses anybody on the internet could have."""

import pytest

from workbench.lib.http.addresses import is_public, parse


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "0.255.255.255",
        "10.0.0.1",
        "100.64.0.0",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.31.196.1",
        "192.52.193.1",
        "192.88.99.1",
        "192.168.0.1",
        "192.175.48.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::8.8.8.8",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:2::1",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:808:808::",
        "2620:4f:8000::1",
        "3fff::1",
        "4000::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%1",
        "fec0::1",
        "ff02::1",
        "2606:4700::1%2",
    ],
)
def test_address_that_nobody_outside_has_is_not_public(address: str) -> None:
    found = parse(address)

    assert found is not None
    assert not is_public(found)


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.1",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "203.0.112.255",
        "203.0.114.0",
        "223.255.255.255",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2003::1",
        "2606:4700:4700::1111",
        "3ffe::1",
    ],
)
def test_address_beside_a_special_block_is_public(address: str) -> None:
    found = parse(address)

    assert found is not None
    assert is_public(found)


@pytest.mark.parametrize("text", ["", "1", "127.1", "0x7f.1", "localhost", "[::1]", "1.2.3.4 "])
def test_other_spellings_are_no_numeric_address_and_go_to_the_resolver(text: str) -> None:
    assert parse(text) is None
