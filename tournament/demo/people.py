"""The invented players of the demonstration. Any similarity to real people is accidental."""

from decimal import Decimal

from tournament.entries.registration import PlayerDetails

_OPEN = """
Ingrid Solvang      | NOR | Fjordbyen BK      | 1894
Tomasz Wiśniak      | POL | Klub Wisła 24     | 1881
Νεφέλη Παπαδάτου    | GRC | Τάβλι Σύρος       | 1873
გიორგი ბერუაშვილი    | GEO | თბილისი ნარდი     | 1860
Aurélien Vasseur    | FRA | Cercle du Canal   | 1852
佐伯 陽翔             | JPN | 港町バックギャモン   | 1847
Şebnem Karaduman    | TUR | Boğaz Tavla       | 1839
Олексій Гаврилко    | UKR | Дніпро Нарди      | 1831
Leonor Quaresma     | PRT | Clube do Porto    | 1824
نادر الحلواني        | LBN | نادي الأرز         | 1820
Mikkel Østerby      | DNK | Nyhavn Backgammon | 1813
דניאל רוזנטולר       | ISR | מועדון הכרמל       | 1809
Beatrix Harmath     | HUN | Dunapart BC       | 1802
Callum Drysdale     | GBR | Leith Backgammon  | 1796
Ευάγγελος Ρήγας     | GRC | Τάβλι Σύρος       | 1788
Farida Nurmagambet  | KAZ | Almaty Nard       | 1781
Jörg Kaltenbrunn    | DEU | Elbe Würfler      | 1774
Rosalind Achterberg | NLD | Grachten BV       | 1768
Արամ Պետոյան         | ARM | Երևան Նարդի        | 1760
Matteo Ferrandini   | ITA | Laguna Backgammon | 1755
한서연               | KOR | 한강클럽           | 1749
Zdeněk Houška       | CZE | Vltava BK         | 1742
کیان فروزنده         | IRN | تخته‌نرد البرز       | 1736
Siobhán Kinsellagh  | IRL | Liffey Backgammon | 1731
Дарина Ветрова      | BGR | Черноморец        | 1725
林 曉彤               | TWN | 台北雙陸           | 1718
Ásgeir Brynjólfsson | ISL | Hafnarklúbbur     | 1711
Paloma Iturralde    | ESP | Club Ría          | 1704
Emeka Adewunmi      | NGA | Lagos Lagoon      | 1698
Lukáš Strnádek      | SVK | Dunajec BK        | 1692
Yusuf Delibalta     | TUR | Boğaz Tavla       | 1687
Katarzyna Górniok   | POL | Klub Wisła 24     | 1681
Henrik Sandelius    | SWE | Skärgårdens BK    | 1674
อรุณ ศรีพิมาน         | THA | ชมรมเจ้าพระยา      | 1667
Giulia Montefalco   | ITA | Laguna Backgammon | 1660
Nils-Petter Aune    | NOR | Fjordbyen BK      | 1654
Мария Златанова     | BGR | Черноморец        | 1646
Théo Marchandeau    | FRA | Cercle du Canal   | 1640
नंदिनी कुलश्रेष्ठ         | IND | Deccan Dice       | 1633
Owain Pryderi       | GBR | Taff Backgammon   | 1627
Veli-Matti Korpela  | FIN | Saimaan BK        | 1619
Ilse Vandermeulen   | BEL | Dijle Backgammon  | 1612
Răzvan Tîrnoveanu   | ROU | Table Cișmigiu    | 1604
Joaquín Balmaceda   | ARG | Círculo del Plata | 1597
Marit Solbakken     | NOR | Fjordbyen BK      | 1589
Dženan Hadžović     | BIH | Miljacka Tavla    | 1580
Phoebe Lattimore    | USA | Harbor Point BC   | 1571
Anselm Rauscher     | AUT | Donau Würfler     | 1563
"""

_INTERMEDIATE = """
Nora Lindqvister    | SWE | Skärgårdens BK    | 1548
Piet Hoogstraten    | NLD | Grachten BV       | 1541
Ελένη Μαυρίδη       | GRC | Τάβλι Σύρος       | 1535
Bartosz Jeleniewski | POL | Klub Wisła 24     | 1527
Camille Roussetin   | FRA | Cercle du Canal   | 1520
伊東 さくら            | JPN | 港町バックギャモン   | 1514
Deniz Uçarsu        | TUR | Boğaz Tavla       | 1507
Gareth Llewelyn-Pugh | GBR | Taff Backgammon  | 1500
Софія Калинець      | UKR | Дніпро Нарди      | 1492
Anneliese Bruckmoser | AUT | Donau Würfler    | 1485
Rui Figueirinha     | PRT | Clube do Porto    | 1478
نور الصباغ           | LBN | نادي الأرز         | 1470
Mads Kirkegaardsen  | DNK | Nyhavn Backgammon | 1462
Tereza Bílková      | CZE | Vltava BK         | 1455
Aidan O’Rafferty    | IRL | Liffey Backgammon | 1447
Chiara Bellomonte   | ITA | Laguna Backgammon | 1440
"""

_EVENING = (1, 6, 13, 22, 27, 31, 40, 46)


_DOUBLES = """
Ingrid Solvang and Mikkel Østerby     | NOR | Fjordbyen BK      | 1854
Leonor Quaresma and Paloma Iturralde  | PRT | Clube do Porto    | 1764
Νεφέλη Παπαδάτου and Ευάγγελος Ρήγας   | GRC | Τάβλι Σύρος       | 1830
Callum Drysdale and Siobhán Kinsellagh | GBR | Leith Backgammon  | 1763
"""


def of_the_open() -> list[PlayerDetails]:
    """Returns forty-eight players, best first."""
    return _cards(_OPEN, 1001)


def of_the_intermediate() -> list[PlayerDetails]:
    return _cards(_INTERMEDIATE, 2001)


def of_the_evening() -> list[PlayerDetails]:
    """Returns eight players of the Open."""
    players = of_the_open()
    return [players[place] for place in _EVENING]


def of_the_doubles() -> list[PlayerDetails]:
    return _cards(_DOUBLES, 3001)


def _cards(table: str, first_id: int) -> list[PlayerDetails]:
    lines = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    return [
        PlayerDetails(name, country, club, f"H-{number}", Decimal(rating))
        for number, (name, country, club, rating) in enumerate(lines, start=first_id)
    ]
