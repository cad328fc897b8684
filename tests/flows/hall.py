"""A drawn event on a stage, with a director who may sign in; its phones are those of the bench of faults."""

from deploy.bench.faults.hall import Hall
from deploy.bench.faults.phones import Phone, Table, Told, pairings_told, row_of, table_of
from tests.flows.stage import Stage
from tests.tournament import stories
from tournament.accounts import links

__all__ = ["Hall", "Phone", "Table", "Told", "open_hall", "pairings_told", "row_of", "table_of"]


def open_hall(stage: Stage, entries: int, length: int = 3) -> Hall:
    """So many players, drawn and released, each with a phone."""
    with stage.database():
        director = stories.director()
        tournament = stories.released(director, entries, lengths=(length,))
        tokens = links.give_links(list(tournament.entries.all()), director)
        sign_in_link = links.make_sign_in_link(tournament.event.memberships.get().user)
    return Hall(stage, tournament, sign_in_link, {entry.pk: token for entry, token in tokens.items()})
