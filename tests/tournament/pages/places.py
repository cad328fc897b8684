"""What an address of a director's page needs."""

from tournament.models import Pairing, Tournament


def at(tournament: Tournament) -> tuple[str, str]:
    return tournament.event.slug, tournament.slug


def match(pairing: Pairing) -> tuple[str, str, int]:
    return *at(pairing.round.bracket.tournament), pairing.pk
