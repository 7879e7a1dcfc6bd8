"""Rules V020 to V041: the claims and their evidence."""

import re
from dataclasses import dataclass, field

from reviews.contracts import evidence_rules as rules
from reviews.contracts.evidence_sources import KnownSources
from reviews.contracts.values import (
    CLAIM_ID,
    KEY_QUESTION_ID,
    has_length,
    is_filled,
    is_one_of,
    is_text,
    length,
    matches,
)
from reviews.contracts.violations import Findings
from sources.contract_quotes import fold_for_contract, occurs_in_folded
from sources.source_cache import (
    HashMismatchError,
    RefError,
    SnapshotRef,
    Snapshots,
    SourceCacheError,
    parse_ref,
)

_TOPIC_TAG = re.compile(r"[a-z][a-z0-9_]{0,29}")
_LITERAL = ("direct", "numeric")
_STRONG = ("primary", "secondary")


@dataclass(slots=True)
class ClaimRules:
    """The rules of the claims of one document."""

    findings: Findings
    sources: KnownSources
    dimension: str | None  # None: prefixes are not compared
    snapshots: Snapshots | None
    refs_required: bool
    quick: bool
    # A page is often quoted many times: verified and folded once for each URL it is cited for.
    _verified: dict[tuple[SnapshotRef, str], str | SourceCacheError] = field(
        default_factory=dict, init=False
    )

    def check(self, claims: object) -> set[str]:
        """Note what is wrong with the claims and give the ids that findings may name."""
        seen: set[str] = set()
        for index, claim in enumerate(claims if isinstance(claims, list) else ()):
            path = f"claims[{index}]"
            if not isinstance(claim, dict):
                self.findings.add(rules.CLAIM_OBJECT, path)
                continue
            self._check_id(claim.get("id"), seen, f"{path}.id")
            self._check_words(claim, path)
            evidence = claim.get("evidence")
            if is_filled(evidence):
                used = self._check_evidence(evidence, f"{path}.evidence")
                self._check_support(claim.get("kind"), used, path)
            else:
                self.findings.add(rules.CLAIM_EVIDENCE, f"{path}.evidence")
        return seen

    def _check_id(self, claim_id: object, seen: set[str], path: str) -> None:
        if not matches(claim_id, CLAIM_ID):
            self.findings.add(rules.CLAIM_ID, path, found=claim_id)
        elif claim_id in seen:
            self.findings.add(rules.CLAIM_REPEATED, path, found=claim_id)
        else:
            seen.add(claim_id)
            if self.dimension is not None and not claim_id.startswith(f"{self.dimension}."):
                self.findings.add(
                    rules.CLAIM_FOREIGN, path, found=claim_id, dimension=self.dimension
                )

    def _check_words(self, claim: dict[str, object], path: str) -> None:
        text = claim.get("text")
        fits = has_length(text, 5, 500)
        self.findings.require(fits, rules.CLAIM_TEXT, f"{path}.text", length=length(text))
        question = claim.get("answers_key_question")
        for name, holds, rule in (
            ("kind", is_one_of(claim.get("kind"), rules.KINDS), rules.CLAIM_KIND),
            ("polarity", is_one_of(claim.get("polarity"), rules.POLARITIES), rules.CLAIM_POLARITY),
            ("topic_tag", matches(claim.get("topic_tag"), _TOPIC_TAG), rules.CLAIM_TAG),
            (
                "answers_key_question",
                question is None or matches(question, KEY_QUESTION_ID),
                rules.CLAIM_QUESTION,
            ),
        ):
            self.findings.require(holds, rule, f"{path}.{name}", found=claim.get(name))

    def _check_evidence(self, evidence: list[object], path: str) -> set[str]:
        used: set[str] = set()
        for index, item in enumerate(evidence):
            place = f"{path}[{index}]"
            if not isinstance(item, dict):
                self.findings.add(rules.EVIDENCE_OBJECT, place)
                continue
            source_id = item.get("source_id")
            if isinstance(source_id, str) and source_id in self.sources.ids:
                used.add(source_id)
            else:
                self.findings.add(rules.EVIDENCE_SOURCE, f"{place}.source_id", found=source_id)
            self.findings.require(
                is_text(item.get("snippet")), rules.EVIDENCE_SNIPPET, f"{place}.snippet"
            )
            quote_type = item.get("quote_type")
            known = is_one_of(quote_type, rules.QUOTE_TYPES)
            self.findings.require(
                known, rules.EVIDENCE_TYPE, f"{place}.quote_type", found=quote_type
            )
            self._check_snapshot(item, place)
        return used

    def _check_snapshot(self, item: dict[str, object], path: str) -> None:
        value = item.get("snapshot_ref")
        if value is None:
            if self.refs_required:
                self.findings.add(rules.EVIDENCE_REF_MISSING, f"{path}.snapshot_ref")
            return
        try:
            ref = parse_ref(value)
        except RefError:
            self.findings.add(rules.EVIDENCE_REF, f"{path}.snapshot_ref", found=value)
            return
        source_id = item.get("source_id")
        url = self.sources.urls.get(source_id) if isinstance(source_id, str) else None
        if self.snapshots is None or url is None:
            return
        text = self._verify(self.snapshots, ref, url)
        if isinstance(text, SourceCacheError):
            self._add_snapshot_error(text, f"{path}.snapshot_ref")
            return
        snippet = item.get("snippet")
        if (
            is_one_of(item.get("quote_type"), _LITERAL)
            and is_text(snippet)
            and not occurs_in_folded(text, snippet)
        ):
            self.findings.add(rules.QUOTE, f"{path}.snippet")

    def _verify(self, snapshots: Snapshots, ref: SnapshotRef, url: str) -> str | SourceCacheError:
        key = (ref, url)
        if key not in self._verified:
            try:
                self._verified[key] = fold_for_contract(snapshots.verify(ref, url=url).text)
            except SourceCacheError as error:
                self._verified[key] = error
        return self._verified[key]

    def _add_snapshot_error(self, error: SourceCacheError, path: str) -> None:
        if isinstance(error, HashMismatchError) and error.line_endings_only:
            self.findings.add(rules.SNAPSHOT_LINE_ENDINGS, path)
        else:
            self.findings.add(rules.SNAPSHOT, path, reason=error)

    def _check_support(self, kind: object, used: set[str], path: str) -> None:
        strong = any(self.sources.qualities.get(source_id) in _STRONG for source_id in used)
        if kind == "factual" and not strong and not self.quick:
            self.findings.add(rules.FACTUAL_SUPPORT, f"{path}.evidence")
        needed = 1 if self.quick else 2
        if kind == "interpretive" and len(used) < needed:
            self.findings.add(
                rules.INTERPRETIVE_SUPPORT, f"{path}.evidence", needed=needed, found=len(used)
            )
