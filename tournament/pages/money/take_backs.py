"""The question before a payment or payout is taken back whose cash somebody else has, or that was counted since."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme

from tournament.ledger.tills import till_of
from tournament.pages.director.context import DirectorContext
from tournament.pages.money.payment_forms import reason_of
from tournament.queries.money.tills import cash_to_ask_about
from tournament.web.error_pages import referring_page

CONFIRMED = "confirmed"


def ask_about_cash(request: HttpRequest, context: DirectorContext, transaction: int) -> HttpResponse | None:
    """Renders the question; None if it is answered, or if there is none."""
    if CONFIRMED in request.POST:
        return None
    cash = cash_to_ask_about(context.event, transaction, till_of(context.actor))
    if cash is None:
        return None
    return context.render(
        request,
        "take_back.html",
        "cash-desk",
        cash=cash,
        reason=reason_of(request),
        back=referring_page(request),
    )


def page_before_question(request: HttpRequest) -> HttpResponse | None:
    """Redirects to the page on which the question was asked; None without a question."""
    back = request.POST.get("back", "")
    is_own = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return HttpResponseRedirect(back) if is_own else None
