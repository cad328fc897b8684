"""A player's phone in a real browser: its score card, its stored games, and a network that fails and returns."""

from dataclasses import dataclass

from playwright.sync_api import BrowserContext, Locator, Page, expect

SMALL = {"width": 360, "height": 720}
# What may be wrong with a browser's store: it is closed, it is full, it never answers (and time flies).
KEEPS_NOTHING = (
    "Object.defineProperty(self, 'indexedDB', { get() { throw new DOMException('', 'SecurityError'); } })",
    "IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceededError'); }",
    "IDBFactory.prototype.open = () => ({}); const wait = setTimeout; self.setTimeout = (f, ms) => wait(f, ms / 50)",
)


@dataclass
class Pocket:
    """One page of a phone, open on the card of one match. `url` is where the phone reaches the hall."""

    page: Page
    url: str
    match: str

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    @property
    def status(self) -> Locator:
        return self.page.locator("#kept .kept__card")

    @property
    def lines(self) -> Locator:
        return self.page.locator("[data-part=games] li")

    @property
    def lines_kept(self) -> Locator:
        return self.page.locator("#kept .games li")

    def open(self) -> "Pocket":
        self.page.goto(f"{self.url}/me/{self.match}/")
        self.is_ready()
        return self

    def is_ready(self) -> None:
        """The scripts have read what the phone keeps."""
        expect(self.page.locator("#kept .kept__card").first).to_be_attached()

    def another_tab(self) -> "Pocket":
        return Pocket(self.context.new_page(), self.url, self.match).open()

    def tap(self, winner: str, kind: str = "single", cube: int = 1) -> None:
        for name, value in (("winner", winner), ("kind", kind), ("cube", str(cube))):
            key = self.page.locator(f"form.card label:has([type=radio][name={name}][value='{value}'])")
            if name == "winner" or key.count():
                key.click()

    def enter(self, winner: str, kind: str = "single", cube: int = 1) -> None:
        before = self.lines.count()
        self.tap(winner, kind, cube)
        self.save()
        expect(self.lines).to_have_count(before + 1)

    def save(self) -> None:
        self.page.locator("form.card .savebar__save").click()

    def undo(self) -> None:
        before = self.lines.count()
        self.page.locator("button[form=undo]:visible, form[data-undo] button:visible").click()
        expect(self.lines).to_have_count(before - 1)

    def stop(self) -> None:
        before = self.lines.count()
        self.page.get_by_text("Time is over", exact=True).first.click()
        self.page.locator("form[data-stop] button").click()
        expect(self.lines).to_have_count(before + 1)

    def says(self, words: str) -> None:
        expect(self.page.locator("main")).to_contain_text(words)

    def all_is_sent(self) -> None:
        """However long the pauses between its attempts have grown."""
        expect(self.status.first).to_have_attribute("data-state", "sent")

    def waits(self) -> None:
        expect(self.status.first).to_have_attribute("data-state", "waits")

    def is_in_trouble(self) -> None:
        expect(self.status.first).to_have_attribute("data-state", "trouble")

    def cut_off(self) -> None:
        self.context.set_offline(True)

    def back(self) -> None:
        self.context.set_offline(False)

    def score(self) -> str:
        return "–".join(self.page.locator(".side__points").all_inner_texts())
