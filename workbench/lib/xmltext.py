"""XML from outside: nothing is loaded, no entity is expanded, depth and size are bounded."""

from collections.abc import Container

from lxml import etree

MAX_BYTES = 32 * 2**20


class XmlError(ValueError):
    """The bytes are no XML that we read."""


def parse_xml(data: bytes, *, doctypes: Container[str] = ()) -> etree._Element:
    """Give the root element. Raises XmlError.

    A DOCTYPE is refused unless it names one of ``doctypes``, as real answers of some providers do;
    even then it is not loaded, and it may declare no entity.
    """
    if not data.strip():
        raise XmlError("empty")
    if len(data) > MAX_BYTES:
        raise XmlError("too large")
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        remove_pis=True,
        remove_comments=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError, LookupError) as fault:
        raise XmlError(str(fault)[:200]) from None
    if root is None:
        raise XmlError("no root element")
    internal = root.getroottree().docinfo.internalDTD
    if internal is not None:
        if internal.name not in doctypes:
            raise XmlError(f"DOCTYPE {str(internal.name)[:60]}")
        if any(True for _ in internal.iterentities()):
            raise XmlError("the DOCTYPE declares entities")
    return root


def text_of(element: etree._Element | None) -> str:
    """Give all text within an element on one line; "" where there is none."""
    if element is None:
        return ""
    return " ".join("".join(str(part) for part in element.itertext()).split())
