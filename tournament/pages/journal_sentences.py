"""Sentences of the journal with links to their subjects, and results in one phrase."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.models import Event
from tournament.pages.entries.changes import NOTHING
from tournament.queries.brackets.labels import RESULT_LABELS
from tournament.queries.journal import JournalPageLine

SENTENCES: Mapping[str, Promise] = {
    "enter": _("entered {subject}"),
    "enter late": _("entered {subject} late"),
    "re-enter": _("entered {subject} again"),
    "split entry": _("split {subject} off as a separate player"),
    "merge players": _("merged another player into {subject}"),
    "change entry": _("changed the entry of {subject}"),
    "check in": _("checked {subject} in"),
    "undo check in": _("took the check-in of {subject} back"),
    "check in at kiosk": _("checked {subject} in at the kiosk"),
    "undo check in at kiosk": _("took the check-in of {subject} back at the kiosk"),
    "mark paid": _("marked {subject} as paid"),
    "mark unpaid": _("marked {subject} as not paid"),
    "choose prices": _("chose prices and side pools of {subject}"),
    "charge": _("charged {subject}"),
    "pay": _("took a payment of {subject}"),
    "refund": _("refunded {subject}"),
    "award prizes": _("awarded the prizes of {subject}"),
    "pay out": _("paid a prize out to {subject}"),
    "take payout back": _("took a payout to {subject} back"),
    "move payment": _("moved a payment to {subject}"),
    "take payment back": _("took a payment of {subject} back"),
    "propose settlement": _("proposed to settle {subject}"),
    "agree settlement": _("agreed to settle {subject}"),
    "close settlement": _("ended the proposal to settle {subject}"),
    "propose hedge": _("proposed a hedge of {subject}"),
    "agree hedge": _("agreed on a hedge of {subject}"),
    "close hedge": _("ended the hedge of {subject}"),
    "set auction": _("set the auction of {subject}"),
    "remove auction": _("removed the auction of {subject}"),
    "change lots": _("changed the lots of {subject}"),
    "bid": _("recorded a bid in the auction of {subject}"),
    "take bid back": _("took a bid in the auction of {subject} back"),
    "sell lot": _("sold a lot of {subject}"),
    "take sale back": _("took a sale in the auction of {subject} back"),
    "share lot": _("changed the owners of a lot of {subject}"),
    "award auction": _("awarded the pot of the auction of {subject}"),
    "withdraw": _("withdrew {subject}"),
    "undo withdrawal": _("brought {subject} back"),
    "give losses": _("let {subject} start with losses"),
    "give seat": _("gave {subject} a seat"),
    "give link": _("created a personal link for {subject}"),
    "approve link": _("approved a phone of {subject}"),
    "revoke link": _("blocked a phone of {subject}"),
    "post result": _("posted the result of {subject}"),
    "correct result": _("corrected the result of {subject}"),
    "correct with consequences": _("corrected the result of {subject} and everything that follows"),
    "undo correction": _("undid the correction of {subject}"),
    "take result back": _("took the result of {subject} back"),
    "write on card": _("edited a score card of {subject}"),
    "hand in late": _("sent a score card of {subject} after the result"),
    "disagree": _("opened a dispute about {subject}"),
    "take dispute back": _("took the dispute about {subject} back"),
    "add photo": _("added a photo to the dispute about {subject}"),
    "rule": _("decided the dispute about {subject}"),
    "close question": _("closed a question about {subject}"),
    "call match": _("called {subject}"),
    "call again": _("called {subject} a second time"),
    "see playing": _("marked {subject} as playing"),
    "take call back": _("took the call of {subject} back"),
    "undo call again": _("undid the second call of {subject}"),
    "undo see playing": _("marked {subject} as not playing yet"),
    "restore call": _("restored the call of {subject}"),
    "move match": _("moved {subject} to another table"),
    "bring record": _("uploaded a game record of {subject}"),
    "check record": _("checked a game record of {subject}"),
}
RESULT_KEYS = ("kind", "winner", "left", "right", "confirmed_by")
SCORES: Mapping[tuple[str, str], Promise] = {
    ("left", "right"): _("Score"),
    ("reported_left", "reported_right"): _("Reported score"),
}
SCORE_KEYS = {key for keys in SCORES for key in keys}
HIDDEN_KEYS = {
    "batch", "cancelled", "checked_in_at", "correction", "entries_hash", "kept", "lifted", "link", "no_show", "pins",
    "record", "rows", "sha256", "size", "table_ids",
}  # fmt: skip
"""Stored values that mean nothing to a reader: ids, hashes and sizes."""


def sentence(line: JournalPageLine, event: Event, action: object) -> SafeString:
    """Returns the sentence after the name of the actor. `action` is the label of a verb without a sentence."""
    subject = _link(line, event)
    template = SENTENCES.get(line.verb)
    if template is not None and subject:
        return format_html(str(template), subject=subject)
    return format_html("{}: {}", action, subject) if subject else format_html("{}", action)


def _link(line: JournalPageLine, event: Event) -> SafeString | str:
    subject = line.subject
    if not subject.name:
        return ""
    name = format_html("<bdi>{}</bdi>", subject.name)
    if subject.pairing is not None and line.slug:
        address = reverse("desk-match", args=[event.slug, line.slug, subject.pairing])
    elif subject.kind == "entry" and line.slug:
        address = reverse("entry-edit", args=[event.slug, line.slug, subject.id])
    else:
        return name
    link = format_html('<a href="{}">{}</a>', address, name)
    if not subject.number:
        return link
    return format_html(
        "{} <small>({})</small>", link, gettext("match {number}").format(number=subject.number)
    )


def has_result(line: JournalPageLine) -> bool:
    """True if the line stores a result. `result_text` then says more than its single values."""
    return line.subject.pairing is not None and (
        line.verb == "correct with consequences"
        or "confirmed_by" in line.after
        or "confirmed_by" in line.before
    )


def score_changes(line: JournalPageLine) -> Iterator[dict[str, str]]:
    """Yields each score that the line stores or changes, as the other changes of a line."""
    for keys, label in SCORES.items():
        before, after = (_score(values, *keys) for values in (line.before, line.after))
        if before != after:
            yield {"field": str(label), "before": before, "after": after or NOTHING}


def _score(values: Mapping[str, Any], left: str, right: str) -> str:
    points = (values.get(left), values.get(right))
    return "" if None in points else f"{points[0]}–{points[1]}"


def result_text(line: JournalPageLine) -> str:
    """Returns the result, or the one before and the one after: "3–1 → 1–3, confirmed by Anna"."""
    winner = next((change for change in line.changes if change.path == ("winner",)), None)
    before = _result(line.before, winner.before if winner else None)
    after = _result(line.after, winner.after if winner else None)
    text = f"{before} → {after}" if before and after else after or before
    confirmed_by = str(line.after.get("confirmed_by") or "")
    return ", ".join(part for part in (text, _confirmation(line, confirmed_by)) if part)


def _result(values: Mapping[str, Any], winner: str | None) -> str:
    kind = str(values.get("kind", ""))
    if kind in ("", "retracted"):
        return gettext("no result") if kind else ""
    points = _score(values, "left", "right")
    if kind == "played":
        return points
    advances = gettext("{name} advances").format(name=winner) if winner else ""
    return ", ".join(part for part in (str(RESULT_LABELS.get(kind, kind)), points, advances) if part)


def _confirmation(line: JournalPageLine, confirmed_by: str) -> str:
    names = dict(zip(("left", "right"), line.subject.sides, strict=True))
    if confirmed_by in names:
        return gettext("confirmed by {name}").format(name=names[confirmed_by])
    return gettext("confirmed after the time limit") if confirmed_by == "timeout" else ""
