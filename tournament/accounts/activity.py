"""Records what happens to accounts, in the transaction of the change itself, and removes old lines."""

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

    `address` is the client's address and is stored shortened. `by` is the user who did it; when that is somebody else,
    the next page of an account that signed in before says so. `detail` is a short word such as a role or a token's
    label, never a secret.
    """
    others = by if by != user else None
    AccountEvent.objects.create(
        user=user,
        at=timezone.now(),
        kind=kind,
        by=others,
        event=event,
        address=network_of_address(address),
        detail=detail[:MAX_DETAIL_LENGTH],
    )
    if others is not None and user.last_login is not None:
        Account.objects.update_or_create(user=user, defaults={"has_unread_activity": True})


@transaction.atomic
def record_wrong_code(user: User, address: str) -> None:
    """Counts a wrong second-factor code. Codes from one network within SERIES are one line, until the next sign-in."""
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
    """The series of wrong codes after the last sign-in; `detail` is how many codes."""
    lines = AccountEvent.objects.filter(user=user)
    last = lines.filter(kind=AccountEventKind.SIGNED_IN).values_list("at", flat=True).first()
    wrong = lines.filter(kind=AccountEventKind.WRONG_CODES)
    return wrong.filter(at__gt=last) if last else wrong


def network_of_address(address: str) -> str:
    """The network of an address: three of four numbers, or the first 48 bits. Empty for anything else."""
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(known, IPv6Address) and known.ipv4_mapped:
        known = known.ipv4_mapped
    if isinstance(known, IPv4Address):
        return f"{str(known).rpartition('.')[0]}.x"
    return f"{IPv6Network((known, 48), strict=False).network_address}"


def mark_as_seen(user: User) -> None:
    """The owner of the account has read its activity."""
    Account.objects.filter(user=user, has_unread_activity=True).update(has_unread_activity=False)


def remove_old() -> None:
    """Removes lines older than ACCOUNT_LOG_DAYS; 0 keeps them for good."""
    if settings.ACCOUNT_LOG_DAYS:
        oldest = timezone.now() - timedelta(days=settings.ACCOUNT_LOG_DAYS)
        AccountEvent.objects.filter(at__lt=oldest).delete()
