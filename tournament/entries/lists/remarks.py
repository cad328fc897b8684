"""All sentences about entry lists, each with a unique code and the next step.

The sentences are marked for translation and stay English here. `Trouble.sentence` inserts the parameters. Typed text is
cleaned and shortened before it is quoted.
"""

from dataclasses import dataclass

from rules.translation import gettext_noop
from tournament.entries.lists.listing import Severity, Trouble


@dataclass(frozen=True, slots=True)
class Remark:
    """A kind of trouble."""

    code: str
    template: str
    severity: Severity = Severity.ERROR

    def on(self, line: int | None, **params: str | int) -> Trouble:
        numbered = params if line is None else {"line": line, **params}
        return Trouble(line, self.code, self.severity, self.template, numbered)


class UnreadableError(Exception):
    """The whole list cannot be read. Never leaves this package."""

    def __init__(self, remark: Remark, **params: str | int) -> None:
        super().__init__(remark.code)
        self.trouble = remark.on(None, **params)


EMPTY = Remark("empty", gettext_noop("This list is empty. Add at least one name."))
TOO_BIG = Remark(
    "too-big",
    gettext_noop(
        "This file has {megabytes} MB, and a list may have {most} MB. Save only the list "
        "of players and try again."
    ),
)
TOO_MANY_LINES = Remark(
    "too-many-lines",
    gettext_noop("This list has more than {most} lines. Split it, or check that it is the right file."),
)
NOT_TEXT = Remark(
    "not-text",
    gettext_noop(
        "This file is not a list that can be read here. Save the list as XLSX or CSV and choose that file."
    ),
)
UNKNOWN_LETTERS = Remark(
    "unknown-letters",
    gettext_noop(
        "The text encoding of this file could not be detected. Save it as “CSV UTF-8” or as XLSX and try again."
    ),
)
PDF = Remark(
    "pdf", gettext_noop("This is a PDF. Save the list as XLSX or CSV, or copy the names and paste them.")
)
PICTURE = Remark(
    "picture", gettext_noop("This is a picture. Save the list as XLSX or CSV, or type the names.")
)
WEB_PAGE = Remark(
    "web-page",
    gettext_noop("This is a web page. Save the list as XLSX or CSV, or copy the names and paste them."),
)
XML = Remark(
    "xml", gettext_noop("This is an XML file. Open it in a spreadsheet program and save it as XLSX or CSV.")
)
JSON = Remark("json", gettext_noop("This is a JSON file. Save the list as XLSX or CSV."))
RICH_TEXT = Remark(
    "rich-text", gettext_noop("This is a text document. Copy the names out of it and paste them.")
)
OLD_WORKBOOK = Remark(
    "xls", gettext_noop("This is an old Excel file (.xls). Open it and save it as XLSX or CSV.")
)
BINARY_WORKBOOK = Remark(
    "xlsb", gettext_noop("This is a binary Excel file (.xlsb). Open it and save it as XLSX or CSV.")
)
STRICT_WORKBOOK = Remark(
    "strict-workbook",
    gettext_noop(
        "This workbook is saved as “Strict Open XML”. Save it as an ordinary XLSX workbook or as CSV."
    ),
)
LOCKED_WORKBOOK = Remark(
    "locked",
    gettext_noop("This workbook is locked with a password. Save it without the password and try again."),
)
OPEN_DOCUMENT = Remark(
    "ods", gettext_noop("This is an OpenDocument file (.ods). Open it and save it as XLSX or CSV.")
)
NUMBERS_FILE = Remark("numbers", gettext_noop("This is a Numbers file. Export it as XLSX or CSV."))
ARCHIVE = Remark("archive", gettext_noop("This is a packed file. Unpack it and choose the list inside."))
BROKEN_WORKBOOK = Remark(
    "broken-workbook",
    gettext_noop(
        "This workbook is damaged. Open it in a spreadsheet program, save it again as XLSX and try that."
    ),
)
SWOLLEN_WORKBOOK = Remark(
    "swollen-workbook",
    gettext_noop("This workbook is much larger than a list of players. Copy the list into a new workbook."),
)
NO_NAME_COLUMN = Remark(
    "no-name-column",
    gettext_noop("None of the headings is a name. Give the column with the names the heading “Name”."),
)
HEADINGS_ONLY = Remark(
    "headings-only", gettext_noop("The list has headings and no players. Add a line for each player.")
)

READ_AS_WINDOWS = Remark(
    "read-as-windows-1252",
    gettext_noop(
        "The text encoding of this file was guessed. If a name looks wrong, save the file "
        "as “CSV UTF-8” or XLSX."
    ),
    Severity.WARNING,
)
ONE_SHEET_READ = Remark(
    "one-sheet-read",
    gettext_noop("Only the sheet “{sheet}” was read. Put all players on one sheet."),
    Severity.WARNING,
)
NO_HEADINGS = Remark(
    "no-headings",
    gettext_noop(
        "The list has no headings, and some of its columns were left out. Add a first "
        "line such as Name, Country, Rating."
    ),
    Severity.WARNING,
)
PAYMENTS_LEFT_OUT = Remark(
    "payments-left-out",
    gettext_noop(
        "“Yes” under “Paid” is left out, because this tournament charges fees. Write the amounts that "
        "players have paid, or take payments at the cash desk."
    ),
    Severity.WARNING,
)
READ_AS_COUNTRY = Remark(
    "read-as-country",
    gettext_noop("The list has no headings. Column {number} was read as the country."),
    Severity.WARNING,
)
READ_AS_CLUB = Remark(
    "read-as-club",
    gettext_noop("The list has no headings. Column {number} was read as the club."),
    Severity.WARNING,
)
READ_AS_RATING = Remark(
    "read-as-rating",
    gettext_noop("The list has no headings. Column {number} was read as the rating."),
    Severity.WARNING,
)
NAMES_TURNED = Remark(
    "names-turned",
    gettext_noop(
        "Names with a comma were read as surname, given name: “{before}” is imported as “{after}”. Check them."
    ),
    Severity.WARNING,
)
NAMES_NOT_TURNED = Remark(
    "names-not-turned",
    gettext_noop(
        "“{before}” is imported with its comma. If this is surname, given name, turn such names round: “{after}”."
    ),
    Severity.WARNING,
)
COMMAS_KEPT = Remark(
    "commas-kept",
    gettext_noop(
        "“{name}” was read as one name with its comma. If the comma divides columns, add a "
        "first line with headings."
    ),
    Severity.WARNING,
)
COLUMN_LEFT_OUT = Remark(
    "column-left-out",
    gettext_noop("The column “{column}” was not recognised and was left out."),
    Severity.WARNING,
)
COLUMN_REPEATED = Remark(
    "column-repeated",
    gettext_noop("The column “{column}” repeats “{first}” and was left out. Delete one of them."),
    Severity.WARNING,
)
CHOSEN_TWICE = Remark(
    "chosen-twice",
    gettext_noop("Columns {first} and {number} were chosen as the same, so column {number} was left out."),
    Severity.WARNING,
)
COLUMN_COUNTS = Remark(
    "column-counts",
    gettext_noop("The column “{column}” only counts the lines and was not read as a federation number."),
    Severity.WARNING,
)

LINE_TOO_LONG = Remark(
    "line-too-long", gettext_noop("Line {line} is too long for one player. Put each player on a line.")
)
OPEN_QUOTE = Remark(
    "open-quote",
    gettext_noop("Line {line} has a quotation mark that is never closed. Close it or delete it."),
)
NAME_MISSING = Remark("name-missing", gettext_noop("Line {line} has no name. Add one or delete the line."))
NOT_A_NAME = Remark(
    "not-a-name", gettext_noop("Line {line} has “{value}” where the name should be. Write the name.")
)
NAME_TOO_LONG = Remark(
    "name-too-long",
    gettext_noop("The name on line {line} is longer than {most} letters. Shorten it."),
)
NAME_WITH_DIVIDER = Remark(
    "name-with-divider",
    gettext_noop(
        "Line {line}: “{value}” was read as one name. If it holds several columns, divide all lines "
        "with the same sign."
    ),
    Severity.WARNING,
)
BYE_LISTED = Remark(
    "bye-listed", gettext_noop("Line {line} is a bye. The draw makes the byes itself: delete the line.")
)
NAME_WITHOUT_RESULT = Remark(
    "name-without-result",
    gettext_noop(
        "Line {line}: the formula under “{column}” has no result. Write the name "
        "itself, or save the file again."
    ),
)
NO_RESULT = Remark(
    "no-result",
    gettext_noop(
        "Line {line}: the formula under “{column}” has no result, so the cell is ignored. Write the value "
        "itself, or save the file again."
    ),
    Severity.WARNING,
)
TOO_LONG = Remark(
    "too-long",
    gettext_noop(
        "Line {line}: “{value}” under “{column}” is longer than {most} letters, so the cell is ignored. "
        "Shorten it."
    ),
    Severity.WARNING,
)
NOT_A_RATING = Remark(
    "not-a-rating",
    gettext_noop(
        "Line {line}: “{value}” under “{column}” is not a rating, so the cell is ignored. Write a number from "
        "0 to {most}."
    ),
    Severity.WARNING,
)
NOT_A_SEED = Remark(
    "not-a-seed",
    gettext_noop(
        "Line {line}: “{value}” under “{column}” is not a seed, so the cell is ignored. Write a whole number "
        "from 1 to {most}."
    ),
    Severity.WARNING,
)
SEED_TWICE = Remark(
    "seed-twice",
    gettext_noop("Lines {first} and {line} both have seed {seed}, so line {line} is read without a seed."),
    Severity.WARNING,
)
LISTED_TWICE = Remark(
    "listed-twice",
    gettext_noop("Lines {first} and {line} are the same player, {name}. Delete one of them."),
)
ID_TWICE = Remark(
    "id-twice",
    gettext_noop(
        "Lines {first} and {line} have the same federation number, {value}, so line {line} is read without it."
    ),
    Severity.WARNING,
)
SAME_NAME = Remark(
    "same-name",
    gettext_noop("Lines {first} and {line} have the same name, {name}. Check that they are two players."),
    Severity.WARNING,
)
COUNTRY_LEFT_OUT = Remark(
    "country-left-out",
    gettext_noop(
        "Line {line}: the country “{value}” is unknown, so the cell is ignored. Write its name in English, or its "
        "code of three letters."
    ),
    Severity.WARNING,
)
NEITHER_YES_NOR_NO = Remark(
    "neither-yes-nor-no",
    gettext_noop(
        "Line {line}: “{value}” under “{column}” is neither yes nor no, so the cell is ignored. Write yes or no."
    ),
    Severity.WARNING,
)

NOT_AN_AMOUNT = Remark(
    "not-an-amount",
    gettext_noop(
        "Line {line}: “{value}” under “{column}” is not an amount in {currency}, so the cell is ignored. Write a "
        "number such as 60 or 62.50."
    ),
    Severity.WARNING,
)

UNCLEAR = Remark(
    "unclear",
    gettext_noop(
        "Line {line}: several players of the event could be {name}, so the line is left out. "
        "Choose the person, or add the federation number or the club as it is written there."
    ),
)
NAME_ENTERED = Remark(
    "name-entered",
    gettext_noop(
        "Line {line}: a player {name} of the same club is entered already, so the line is left out. "
        "Add a club or a federation number that tells them apart."
    ),
)
SEED_HELD = Remark(
    "seed-held",
    gettext_noop(
        "Line {line}: seed {seed} belongs to {name}, so this line is read without a seed. "
        "Give {name} another seed first."
    ),
    Severity.WARNING,
)
ID_HELD = Remark(
    "id-held",
    gettext_noop(
        "Line {line}: the federation number {value} belongs to {name}, so this line is read without it. "
        "Check the number."
    ),
    Severity.WARNING,
)
OTHER_NAME = Remark(
    "other-name",
    gettext_noop(
        "Line {line}: the federation number {value} belongs to {before}, who would be renamed to {after}. "
        "Check the number."
    ),
    Severity.WARNING,
)
ALSO_ELSEWHERE = Remark(
    "also-elsewhere",
    gettext_noop(
        "Line {line}: {name} is also entered in {tournaments} and is imported as the same person. "
        "If this is somebody else, choose “Another person”."
    ),
    Severity.WARNING,
)
POOL_NOT_POSSIBLE = Remark(
    "pool-not-possible",
    gettext_noop(
        "Line {line}: {name} may not join some side pools of this line, so these cells are ignored. "
        "Check the rating and who may join."
    ),
    Severity.WARNING,
)
LESS_PAID = Remark(
    "less-paid",
    gettext_noop(
        "Line {line}: earlier imports recorded {before} for {name}, more than the {amount} of this line, so the cell "
        "is ignored. If the earlier amount was wrong, take the payment back at the cash desk."
    ),
    Severity.WARNING,
)
PAID_ABOVE_DEBT = Remark(
    "paid-above-debt",
    gettext_noop(
        "Line {line}: {payment} for {name} is not recorded, because only {owed} is open. The cash desk may have "
        "recorded it."
    ),
    Severity.WARNING,
)
WITHDRAWN = Remark(
    "withdrawn",
    gettext_noop(
        "Line {line}: {name} has withdrawn and stays withdrawn. To undo that, use the entries page."
    ),
    Severity.WARNING,
)
