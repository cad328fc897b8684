"""Recognises the columns of a list by their headings in many languages."""

import unicodedata
from collections.abc import Sequence

from tournament.entries.lists.choices import POOL_KEY_OF
from tournament.entries.lists.cleaning import cell_text
from tournament.entries.lists.listing import NO_POOLS, Cell, Column, PoolNames, Row

_SPELLINGS = {
    Column.FULL_NAME: """
        full name, player, players, player name, name of player, entrant, participant, competitor,
        first and last name, first name last name, last name first name, spieler, spielername, spielerin,
        teilnehmer, teilnehmerin, vollständiger name, vor und nachname, name vorname, vorname name,
        vorname nachname, nachname vorname, joueur, joueuse, nom complet, nom et prénom, nom prénom,
        prénom nom, jugador, jugadora, nombre completo, nombre y apellidos, apellidos y nombre, giocatore,
        giocatrice, partecipante, nome e cognome, cognome e nome, cognome nome, jogador, jogadora,
        nome completo, participante, speler, deelnemer, volledige naam, spiller, spillere, deltager,
        deltaker, deltagare, spelare, pelaaja, osallistuja, oyuncu, oyuncu adı, sporcu, ad soyad,
        adı soyadı, isim soyisim, παίκτης, ονοματεπώνυμο, όνομα και επώνυμο, jucător, nume complet,
        nume și prenume, zawodnik, gracz, imię i nazwisko, hráč, jméno a příjmení, játékos, versenyző,
        teljes név, игрок, фио, имя и фамилия, фамилия и имя, фамилия имя, участник, играч, име и фамилия,
        гравець, піб, учасник, igrač, ime i prezime, mängija, žaidėjas, spēlētājs, მოთამაშე,
        სახელი და გვარი, გვარი სახელი, სახელი გვარი, שם מלא, שחקן, اللاعب, اسم اللاعب, الاسم الكامل,
        بازیکن, نام و نام خانوادگی, 氏名, 選手, 選手名, 姓名, 성명, 선수
        """,
    Column.NAME: """
        name, names, nom, nome, nombre, navn, naam, namn, nimi, isim, ad, adı, όνομα, nume, jméno, név,
        имя, име, ім'я, ime, vārds, vardas, სახელი, שם, השם, الاسم, نام, 名前, 이름
        """,
    Column.GIVEN_NAME: """
        first name, given name, given names, forename, first, given, vorname, rufname, prénom, nombres,
        nome próprio, primeiro nome, voornaam, fornavn, förnamn, etunimi, prenume, imię, křestní jméno,
        keresztnév, utónév, собствено име, שם פרטי, الاسم الأول, نام کوچک, 名
        """,
    Column.SURNAME: """
        surname, last name, family name, family, last, nachname, familienname, zuname, nom de famille,
        apellido, apellidos, cognome, sobrenome, apelido, achternaam, efternavn, etternavn, efternamn,
        sukunimi, soyad, soyadı, soyisim, επώνυμο, επίθετο, nume de familie, nazwisko, příjmení,
        priezvisko, vezetéknév, családnév, фамилия, прізвище, prezime, priimek, გვარი, שם משפחה,
        اسم العائلة, اللقب, نام خانوادگی, 姓
        """,
    Column.COUNTRY: """
        country, country code, nation, nationality, nat, nat., natl, fed, federation, ctry, ioc, land,
        nationalität, staat, staatsangehörigkeit, pays, nationalité, país, pais, nacionalidad, paese,
        nazione, nazionalità, nacionalidade, nationaliteit, nationalitet, maa, kansalaisuus, ülke, uyruk,
        χώρα, εθνικότητα, țara, țară, kraj, narodowość, země, stát, krajina, ország, nemzetiség, страна,
        държава, країна, država, zemlja, riik, šalis, valsts, ქვეყანა, מדינה, ארץ, البلد, الدولة, بلد,
        کشور, 国, 国籍, 国家, 국가
        """,
    Column.CLUB: """
        club, club name, home club, chapter, verein, klub, vereinsname, circolo, clube, vereniging, forening,
        klubb, förening, seura, kulüp, σύλλογος, σωματείο, όμιλος, oddíl, egyesület, клуб, savez, კლუბი, מועדון,
        النادي, نادي, باشگاه, クラブ, 所属, 俱乐部, 클럽
        """,
    Column.TEAM: """
        team, team name, mannschaft, equipe, équipe, equipo, squadra, ploeg, lag, joukkue, takım, ομάδα, echipă,
        drużyna, družstvo, csapat, команда, отбор, ekipa, გუნდი, קבוצה, الفريق, فريق, تیم, チーム, 团队, 팀
        """,
    Column.FEDERATION_ID: """
        id, player id, playerid, federation id, fed id, fedid, federation number, federation no, member id,
        member no, member number, membership number, membership no, membership id, licence, license,
        licence no, license number, wbgf, wbgf id, wbgf no, usbgf, usbgf id, usbgf no, ukbgf, ukbgf id,
        ukbgf no, ebif id, dbgv, spielernummer, spieler id, mitgliedsnummer, mitgliedsnr, mitglieds nr,
        lizenz, lizenznummer, licence n°, numéro de licence, numéro de membre, n° licence, licencia,
        número de socio, id jugador, tessera, numero tessera, id giocatore, lidnummer, medlemsnummer,
        medlemsnr, medlems nr, jäsennumero, lisans no, üye no, oyuncu id, αριθμός μητρώου, αμ, α.μ.,
        nr legitymacji, azonosító, номер игрока, ид, מספר שחקן, מספר חבר, رقم اللاعب, رقم العضوية, 会員番号
        """,
    Column.RATING: """
        rating, elo, elo rating, er, fibs, fibs rating, wbgf rating, usbgf rating, ukbgf rating,
        player rating, current rating, rtg, wertung, wertungszahl, elozahl, elo zahl, classement elo,
        puntuación elo, punteggio elo, punteggio rating, pontuação elo, ratingtal, ratingzahl,
        βαθμολογία elo, ranking elo, értékszám, рейтинг, эло, რეიტინგი, דירוג, מד כושר, التصنيف,
        レーティング, 레이팅
        """,
    Column.SEED: """
        seed, seeding, seeded, seed no, seed number, setzplatz, setzung, setzliste, setznummer, gesetzt,
        tête de série, ts, cabeza de serie, testa di serie, cabeça de série, geplaatst, plaatsing,
        seedning, seeding nr, sijoitettu, seribaşı, seri başı, rozstawienie, nasazení, kiemelés, посев,
        сеяный, שיבוץ, シード
        """,
    Column.PAID: """
        paid, has paid, fee paid, paid?, entry paid, amount paid, paid amount, payment, bezahlt,
        bezahlter betrag, bezahlt?, gezahlt, payé, paye, paiement, montant payé,
        pagado, pagato, pago, betaald, betalt, betald, maksettu, maksanut, ödendi, ödeme, πληρωμένο,
        πλήρωσε, plătit, opłacone, zapłacono, zaplaceno, fizetve, fizetett, оплачено, оплата, платено,
        сплачено, plaćeno, გადახდილია, שולם, שילם, مدفوع, دفع, 支払, 支払済, 입금
        """,
    Column.CHECKED_IN: """
        checked in, checkin, check in, check-in, present, arrived, here, anwesend, eingecheckt, angekommen,
        da, présent, présente, presente, aanwezig, tilstede, til stede, närvarande, paikalla, burada,
        geldi, παρών, prezent, obecny, přítomen, jelen, присутствует, прибыл, присъства, присутній,
        prisutan, დასწრება, נוכח, הגיע, حاضر, 出席, 受付
        """,
    Column.MEMBER: """
        member, is member, member?, club member, membership, mitglied, membre, adhérent, miembro, socio, socia, lid,
        medlem, jäsen, üye, μέλος, membru, członek, člen, tag, член, წევრი, חבר, عضو, 会員
        """,
    Column.NEW_MEMBER: "new member, becomes a member, wird mitglied, neues mitglied, nouveau membre, nuevo socio",
    Column.STUDENT: """
        student, students, is student, student?, schüler, étudiant, étudiante, estudiante, studente, studentessa,
        estudante, opiskelija, öğrenci, φοιτητής, studentas, diák, студент, სტუდენტი, סטודנט, طالب, دانشجو, 学生
        """,
    Column.TITLE: """
        title, titles, gm, master, holder of a title, titel, titre, título, titolo, titteli, unvan, ünvan, τίτλος,
        titlu, tytuł, titul, cím, титул, звание, წოდება, תואר, 称号
        """,
    Column.FIRST_VISIT: """
        first visit, first time, newcomer, erster besuch, erstes mal, première visite, première fois, primera vez,
        prima volta, primeira vez
        """,
    Column.EARLY: "early, early payment, early bird, frühbucher, früh bezahlt, paiement anticipé, pago anticipado",
    Column.POOL_1: "pool 1, side pool 1, pool, side pool",
    Column.POOL_2: "pool 2, side pool 2",
    Column.POOL_3: "pool 3, side pool 3",
    Column.POOL_4: "pool 4, side pool 4",
    Column.POOL_5: "pool 5, side pool 5",
    Column.POOL_6: "pool 6, side pool 6",
    Column.POOL_7: "pool 7, side pool 7",
    Column.POOL_8: "pool 8, side pool 8",
    Column.COUNT: """
        no, no., nr, nr., #, n°, nº, num, number, lfd nr, lfd. nr., pos, position, row, line, rank, rk,
        numéro, número, numero, nummer, sıra, sıra no, α/α, lp, l.p., č., sorszám, №, п/п, номер, رقم, מס,
        番号, 번호
        """,
}


def _fold(heading: str) -> str:
    """Returns the lookup form of a heading: without accents, case, spaces and signs. A lone sign stays."""
    folded = unicodedata.normalize("NFKD", heading).casefold().translate(_LETTERS_WITH_A_STROKE)
    return "".join(letter for letter in folded if letter.isalnum()) or heading.strip()


_LETTERS_WITH_A_STROKE = str.maketrans({"ı": "i", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe"})
_COLUMN_OF: dict[str, Column] = {
    _fold(spelling): column
    for column, spellings in reversed(_SPELLINGS.items())
    for spelling in spellings.split(",")
}
_NAMES = {Column.FULL_NAME, Column.NAME, Column.GIVEN_NAME, Column.SURNAME}
_ROWS_SEARCHED = 10


def column_of(heading: Cell) -> Column | None:
    text = cell_text(heading)
    return _COLUMN_OF.get(_fold(text)) if text else None


def recognise_columns(cells: Sequence[Cell], pools: PoolNames = NO_POOLS) -> list[Column | None]:
    """Returns the column of each cell, or None. Repeated columns are returned each time.

    `pools` are the side pools that a column may be about; their names are headings too.
    """
    named = {_fold(name): column for column, name in pools.items()}
    columns = [column_of(cell) or named.get(_fold(cell_text(cell))) for cell in cells]
    return [None if column in POOL_KEY_OF and column not in pools else column for column in columns]


def find_heading(rows: Sequence[Row]) -> int | None:
    """Returns the index of the headings: the first row, or a row below a title with two known columns.

    None without one.
    """
    for at, row in enumerate(rows[:_ROWS_SEARCHED]):
        columns = {column for column in recognise_columns(row.cells) if column is not None}
        if columns & _NAMES and (at == 0 or len(columns) >= 2):
            return at
    return None


def has_headings_without_a_name(row: Row) -> bool:
    """Returns True if the row has two known columns and none of them is a name."""
    columns = {column for column in recognise_columns(row.cells) if column is not None}
    return len(columns) >= 2 and not columns & _NAMES
