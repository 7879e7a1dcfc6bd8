"""Which parameters of an address only follow the reader, and which carry the page. Pure.

The names come from courlan, whose list is kept after those of AdGuard, ClearURLs and Firefox.
Following it to the letter would join pages that differ: it looks for the beginnings of names
(``ref`` is in ``reference``, ``ga`` in ``gallery``), and lists a few that number documents.
"""

import re
from functools import cache, lru_cache

# Names that courlan drops and that many sites number their pages with: Scopus "eid", content
# systems' "cid", directories' "uid", sessions of a congress, words of a search.
_CARRY_THE_PAGE = frozenset(
    {"cid", "clid", "eid", "uid", "keyword", "keywords", "kwd", "session", "medium", "gl"}
)
# Names that it does not know: of Chinese sites, of mailings, and of search engines' own counting.
_OURS = frozenset(
    {"spm", "scm", "srsltid", "ref_src", "ref_url", "ttclid", "li_fat_id", "igsh", "wt_mc",
     "wt_zmc", "wtmc", "cmpid", "ncid", "ocid", "s_cid", "trk", "trkcampaign", "trackingid",
     "_hsenc", "_hsmi", "hsctatracking", "__hstc", "__hssc", "__hsfp", "dgcid", "icid",
     "intcid", "smid", "sxsrf", "ved", "usg", "isappinstalled", "chksm", "share_token",
     "share_from", "share_source", "share_medium", "nsukey", "from_wecom", "bd_vid",
     "vd_source", "spm_id_from", "_openstat", "fb_action_ids", "fb_action_types", "__cft__",
     "__tn__", "mkt_tok", "redirectedfrom", "amp", "jsessionid", "phpsessid",
     "aspsessionid", "wtrid", "wickedid", "rb_clickid", "echobox", "os_ehash",
     "__twitter_impression"}
)  # fmt: skip


@lru_cache(maxsize=4096)
def only_follows(name: str) -> bool:
    """Tell whether a parameter of this name, in any case, leaves the page the same."""
    name = name.lower()
    if name in _CARRY_THE_PAGE:
        return False
    if name in _OURS:
        return True
    return _names().search(name) is not None


@cache
def _names() -> "re.Pattern[str]":
    # Here, since it takes as long to load as many a command to run.
    from courlan.clean import TRACKERS_RE

    # A family ("utm_…"), or a word of the name; not the head of a longer one.
    return re.compile(f"(?:{TRACKERS_RE.pattern})(?:(?<=_)|(?![a-z0-9]))")
