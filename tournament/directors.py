"""Makes the accounts of those who direct. What they may do in which event is said by memberships, not here."""

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password

from tournament import hearing

FIRST = "director"


def director(name: str = FIRST) -> User:
    """The active account of this name, made when there is none."""
    user, is_new = User.objects.get_or_create(username=name)
    if is_new:
        user.set_unusable_password()
    user.is_active = True
    user.save()
    return user


def named(name: str) -> User | None:
    """The active account of this name, in large or small letters (of which SQLite knows only the ASCII ones)."""
    wanted = name.strip().casefold()
    accounts = User.objects.filter(is_active=True).order_by("pk")
    return next((user for user in accounts if user.username.casefold() == wanted), None)


def set_password(user: User, password: str) -> None:
    """Raises ValidationError with sentences when the password is too weak."""
    validate_password(password, user)
    user.set_password(password)
    user.save(update_fields=["password"])
    hearing.hang_up_on_user(user)


def is_first_start() -> bool:
    """Whether nobody has ever signed in."""
    return not User.objects.filter(last_login__isnull=False).exists()
