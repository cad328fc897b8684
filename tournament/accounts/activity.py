"""The activity log of accounts: adds lines in the transaction of the change, and removes old lines."""

from datetime import timedelta
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tournament.models import Account, AccountEvent, AccountEventKind, Event

MAX_DETAIL_LENGTH = 120
SERIES_LENGTH = timedelta(hours=1)


def record(
    user: User,
    kind: AccountEventKind,
    *,
    address: str = "",
    by: User | None = None,
    event: Event | None = None,
    detail: str = "",
) -> None:
    """Adds one line to the activity of `user`.

    `address` is the client's address and is stored shortened. `by` is the acting user; a line by another user causes a
    notice on the next page of an account that signed in before. `detail` is a short word such as a role or a token's
    label, never a secret.
    """
    other_user = by if by != user else None
    AccountEvent.objects.create(
        user=user,
        at=timezone.now(),
        kind=kind,
        by=other_user,
        event=event,
        address=network_of_address(address),
        detail=detail[:MAX_DETAIL_LENGTH],
    )
    if other_user is not None and user.last_login is not None:
        Account.objects.update_or_create(user=user, defaults={"has_unread_activity": True})


@transaction.atomic
def record_wrong_code(user: User, address: str) -> None:
    """Counts a wrong second-factor code. Codes from one network within SERIES_LENGTH share a line."""
    User.objects.select_for_update().get(pk=user.pk)
    series = wrong_codes_since_sign_in(user).filter(
        address=network_of_address(address), at__gt=timezone.now() - SERIES_LENGTH
    )
    line = series.first()
    if line is None:
        record(user, AccountEventKind.WRONG_CODES, address=address, detail="1")
    else:
        line.detail = str(int(line.detail) + 1)
        line.save(update_fields=["detail"])


def wrong_codes_since_sign_in(user: User) -> QuerySet[AccountEvent]:
    """Returns the lines of wrong codes since the last sign-in; `detail` is the number of codes."""
    lines = AccountEvent.objects.filter(user=user)
    last = lines.filter(kind=AccountEventKind.SIGNED_IN).values_list("at", flat=True).first()
    wrong = lines.filter(kind=AccountEventKind.WRONG_CODES)
    return wrong.filter(at__gt=last) if last else wrong


def network_of_address(address: str) -> str:
    """Returns the network of an address: three of four numbers, or the first 48 bits. Empty for anything else."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    if isinstance(parsed, IPv4Address):
        return f"{str(parsed).rpartition('.')[0]}.x"
    return f"{IPv6Network((parsed, 48), strict=False).network_address}"


def mark_as_seen(user: User) -> None:
    """Clears the notice about unread activity."""
    Account.objects.filter(user=user, has_unread_activity=True).update(has_unread_activity=False)


def remove_old() -> None:
    """Removes lines older than ACCOUNT_LOG_DAYS; 0 keeps them forever."""
    if settings.ACCOUNT_LOG_DAYS:
        oldest = timezone.now() - timedelta(days=settings.ACCOUNT_LOG_DAYS)
        AccountEvent.objects.filter(at__lt=oldest).delete()
