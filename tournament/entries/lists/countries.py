"""Countries in entry lists: codes of two and three letters, English names and some native names.

`country_code` returns the ISO 3166 code of three letters, or the sporting code where ISO has none (ENG, SCO, WAL, NIR,
KOS). Callers decide about unknown countries.
"""

import re
import unicodedata

_ISO = """
AF AFG Afghanistan|AL ALB Albania|DZ DZA Algeria|AS ASM American Samoa|AD AND Andorra|AO AGO Angola
AI AIA Anguilla|AG ATG Antigua and Barbuda|AR ARG Argentina|AM ARM Armenia|AW ABW Aruba|AU AUS Australia
AT AUT Austria|AZ AZE Azerbaijan|BS BHS Bahamas|BH BHR Bahrain|BD BGD Bangladesh|BB BRB Barbados
BY BLR Belarus|BE BEL Belgium|BZ BLZ Belize|BJ BEN Benin|BM BMU Bermuda|BT BTN Bhutan|BO BOL Bolivia
BA BIH Bosnia and Herzegovina|BW BWA Botswana|BR BRA Brazil|VG VGB British Virgin Islands|BN BRN Brunei
BG BGR Bulgaria|BF BFA Burkina Faso|BI BDI Burundi|KH KHM Cambodia|CM CMR Cameroon|CA CAN Canada
CV CPV Cape Verde|KY CYM Cayman Islands|CF CAF Central African Republic|TD TCD Chad|CL CHL Chile
CN CHN China|CO COL Colombia|KM COM Comoros|CG COG Congo|CD COD DR Congo|CK COK Cook Islands
CR CRI Costa Rica|CI CIV Ivory Coast|HR HRV Croatia|CU CUB Cuba|CW CUW Curacao|CY CYP Cyprus|CZ CZE Czechia
DK DNK Denmark|DJ DJI Djibouti|DM DMA Dominica|DO DOM Dominican Republic|EC ECU Ecuador|EG EGY Egypt
SV SLV El Salvador|GQ GNQ Equatorial Guinea|ER ERI Eritrea|EE EST Estonia|SZ SWZ Eswatini|ET ETH Ethiopia
FK FLK Falkland Islands|FO FRO Faroe Islands|FJ FJI Fiji|FI FIN Finland|FR FRA France
PF PYF French Polynesia|GA GAB Gabon|GM GMB Gambia|GE GEO Georgia|DE DEU Germany|GH GHA Ghana
GI GIB Gibraltar|GR GRC Greece|GL GRL Greenland|GD GRD Grenada|GP GLP Guadeloupe|GU GUM Guam
GT GTM Guatemala|GG GGY Guernsey|GN GIN Guinea|GW GNB Guinea-Bissau|GY GUY Guyana|HT HTI Haiti
HN HND Honduras|HK HKG Hong Kong|HU HUN Hungary|IS ISL Iceland|IN IND India|ID IDN Indonesia|IR IRN Iran
IQ IRQ Iraq|IE IRL Ireland|IM IMN Isle of Man|IL ISR Israel|IT ITA Italy|JM JAM Jamaica|JP JPN Japan
JE JEY Jersey|JO JOR Jordan|KZ KAZ Kazakhstan|KE KEN Kenya|KI KIR Kiribati|KP PRK North Korea
KR KOR South Korea|KW KWT Kuwait|KG KGZ Kyrgyzstan|LA LAO Laos|LV LVA Latvia|LB LBN Lebanon|LS LSO Lesotho
LR LBR Liberia|LY LBY Libya|LI LIE Liechtenstein|LT LTU Lithuania|LU LUX Luxembourg|MO MAC Macau
MG MDG Madagascar|MW MWI Malawi|MY MYS Malaysia|MV MDV Maldives|ML MLI Mali|MT MLT Malta
MH MHL Marshall Islands|MQ MTQ Martinique|MR MRT Mauritania|MU MUS Mauritius|MX MEX Mexico
FM FSM Micronesia|MD MDA Moldova|MC MCO Monaco|MN MNG Mongolia|ME MNE Montenegro|MS MSR Montserrat
MA MAR Morocco|MZ MOZ Mozambique|MM MMR Myanmar|NA NAM Namibia|NR NRU Nauru|NP NPL Nepal|NL NLD Netherlands
NC NCL New Caledonia|NZ NZL New Zealand|NI NIC Nicaragua|NE NER Niger|NG NGA Nigeria|MK MKD North Macedonia
NO NOR Norway|OM OMN Oman|PK PAK Pakistan|PW PLW Palau|PS PSE Palestine|PA PAN Panama
PG PNG Papua New Guinea|PY PRY Paraguay|PE PER Peru|PH PHL Philippines|PL POL Poland|PT PRT Portugal
PR PRI Puerto Rico|QA QAT Qatar|RE REU Reunion|RO ROU Romania|RU RUS Russia|RW RWA Rwanda
KN KNA Saint Kitts and Nevis|LC LCA Saint Lucia|VC VCT Saint Vincent and the Grenadines|WS WSM Samoa
SM SMR San Marino|ST STP Sao Tome and Principe|SA SAU Saudi Arabia|SN SEN Senegal|RS SRB Serbia
SC SYC Seychelles|SL SLE Sierra Leone|SG SGP Singapore|SX SXM Sint Maarten|SK SVK Slovakia|SI SVN Slovenia
SB SLB Solomon Islands|SO SOM Somalia|ZA ZAF South Africa|SS SSD South Sudan|ES ESP Spain|LK LKA Sri Lanka
SD SDN Sudan|SR SUR Suriname|SE SWE Sweden|CH CHE Switzerland|SY SYR Syria|TW TWN Taiwan|TJ TJK Tajikistan
TZ TZA Tanzania|TH THA Thailand|TL TLS Timor-Leste|TG TGO Togo|TO TON Tonga|TT TTO Trinidad and Tobago
TN TUN Tunisia|TR TUR Turkey|TM TKM Turkmenistan|TV TUV Tuvalu|UG UGA Uganda|UA UKR Ukraine
AE ARE United Arab Emirates|GB GBR United Kingdom|US USA United States|VI VIR US Virgin Islands
UY URY Uruguay|UZ UZB Uzbekistan|VU VUT Vanuatu|VA VAT Vatican City|VE VEN Venezuela|VN VNM Vietnam
YE YEM Yemen|ZM ZMB Zambia|ZW ZWE Zimbabwe
"""

_SPORTING = """
ALG DZA|ASA ASM|ANG AGO|ANT ATG|ARU ABW|BAH BHS|BAN BGD|BAR BRB|BER BMU|BHU BTN|BIZ BLZ|BOT BWA|BRU BRN
BUL BGR|BUR BFA|CAM KHM|CAY CYM|CGO COG|CHA TCD|CHI CHL|CRC CRI|CRO HRV|DEN DNK|ESA SLV|FIJ FJI|GAM GMB
GBS GNB|GEQ GNQ|GER DEU|GRE GRC|GRN GRD|GUA GTM|GUI GIN|HAI HTI|HOL NLD|HON HND|INA IDN|IRI IRN|ISV VIR
IVB VGB|KSA SAU|KUW KWT|LAT LVA|LBA LBY|LES LSO|LIB LBN|MAD MDG|MAS MYS|MAW MWI|MGL MNG|MON MCO|MRI MUS
MTN MRT|MYA MMR|NCA NIC|NED NLD|NEP NPL|NGR NGA|NIG NER|OMA OMN|PAR PRY|PHI PHL|PLE PSE|POR PRT|PUR PRI
ROM ROU|RSA ZAF|SAM WSM|SEY SYC|SIN SGP|SKN KNA|SLO SVN|SOL SLB|SRI LKA|SUD SDN|SUI CHE|TAN TZA|TGA TON
TOG TGO|TPE TWN|TRI TTO|UAE ARE|URU URY|VAN VUT|VIE VNM|VIN VCT|ZAM ZMB|ZIM ZWE|UK GBR|EL GRC|ENG ENG
SCO SCO|WAL WAL|NIR NIR|KOS KOS|XKX KOS
"""

_OTHER_NAMES = """
USA United States of America,U.S.A.,U.S.,America,Estados Unidos,États-Unis,ΗΠΑ|ENG England|SCO Scotland
WAL Wales
GBR Great Britain,Britain,U.K.,Großbritannien,United Kingdom of Great Britain and Northern Ireland
NIR Northern Ireland|KOS Kosovo|ARE Emirates,U.A.E.|BIH Bosnia,Bosnia & Herzegovina
CZE Czech Republic,Česko|CPV Cabo Verde|CIV Côte d'Ivoire|COD Democratic Republic of the Congo
SWZ Swaziland|MMR Burma|MAC Macao
DEU Deutschland,Allemagne,Germania,Alemania,Duitsland,Tyskland,Almanya,Γερμανία|AUT Österreich
CHE Schweiz,Suisse,Svizzera|DNK Danmark,Dänemark|SWE Sverige,Schweden|NOR Norge,Norwegen|FIN Suomi,Finnland
ISL Ísland|FRA Frankreich,Francia|ESP España,Spanien|ITA Italia,Italien,Italie
NLD Holland,The Netherlands,Nederland,Niederlande|BEL België,Belgique,Belgien|PRT Portogallo
POL Polska,Polen|HUN Magyarország,Ungarn|ROU România,Rumänien|BGR България,Bulgarien|HRV Hrvatska,Kroatien
SRB Srbija,Србија,Serbien|SVN Slovenija|SVK Slovensko,Slovak Republic
GRC Ελλάδα,Ελλάς,Hellas,Griechenland,Grèce|CYP Κύπρος,Kıbrıs,Zypern
TUR Türkiye,Turkiye,Türkei,Turquie,Τουρκία|GEO საქართველო,Sakartvelo,Georgien|ARM Հայաստան|AZE Azərbaycan
UKR Україна|RUS Россия,Russian Federation,Russland|BLR Беларусь|MDA Republic of Moldova|MKD Macedonia
ISR ישראל|JPN 日本|CHN 中国|KOR 대한민국,한국,Korea,Republic of Korea|TWN 台灣,Chinese Taipei|HKG 香港
IRN ایران,Islamic Republic of Iran|LBN لبنان|EGY مصر|MAR المغرب,Maroc|TUN تونس|SYR سوريا|SAU السعودية
JOR الأردن|IRQ العراق|PSE فلسطين|VNM Viet Nam|BRA Brasil|MEX México|LTU Lietuva|LVA Latvija|EST Eesti
IRL Éire,Republic of Ireland,Eire|TLS East Timor
"""


def _fold(written: str) -> str:
    """Returns the lookup form of a country: without accents, signs and case."""
    bare = unicodedata.normalize("NFKD", written.casefold().replace("ı", "i"))
    return "".join(letter for letter in bare if letter.isalnum())


def _split_table(table: str) -> list[str]:
    return [item for line in table.split("\n") for item in line.split("|") if item]


def _codes_by_spelling() -> dict[str, str]:
    codes: dict[str, str] = {}
    for item in _split_table(_ISO):
        two, three, _ = item.split(" ", 2)
        codes |= {two: three, three: three}
    for item in _split_table(_SPORTING):
        sporting, stored = item.split(" ")
        codes.setdefault(sporting, stored)
    return codes


def _two_letter_codes() -> dict[str, str]:
    """Returns ISO codes of two letters by codes of three letters. Kosovo has the code in common use."""
    codes = (item.split(" ", 2) for item in _split_table(_ISO))
    return {three: two for two, three, _ in codes} | {"KOS": "XK"}


def _codes_by_name() -> dict[str, str]:
    names = {_fold(item.split(" ", 2)[2]): item.split(" ", 2)[1] for item in _split_table(_ISO)}
    for item in _split_table(_OTHER_NAMES):
        code, others = item.split(" ", 1)
        names |= {_fold(other): code for other in others.split(",")}
    return names


def _names_by_code() -> dict[str, str]:
    items = (item.split(" ", 2) for item in _split_table(_ISO))
    return {three: name for _, three, name in items}


_CODES = _codes_by_spelling()
_ENGLISH_NAMES = _names_by_code()
_NAMES = _codes_by_name()
_TWO_LETTERS = _two_letter_codes()
_LOOKS_LIKE_A_CODE = re.compile(r"[A-Za-z]{2,3}")

ALSO_A_NICKNAME = frozenset({"BEN", "DOM", "GUY", "MAC", "PER", "SAM"})


def country_code(written: str) -> str | None:
    """Returns the code that is stored for a country, or None if the spelling is unknown."""
    return _CODES.get(written.strip().upper()) or _NAMES.get(_fold(written))


def two_letter_code(code: str) -> str | None:
    """Returns the ISO code of two letters for a stored code, or None."""
    return _TWO_LETTERS.get(code)


def country_name(code: str) -> str:
    """Returns the English name of a stored code with the code, such as “Denmark (DNK)”; an unknown code unchanged."""
    return f"{_ENGLISH_NAMES[code]} ({code})" if code in _ENGLISH_NAMES else code


def looks_like_code(written: str) -> bool:
    return _LOOKS_LIKE_A_CODE.fullmatch(written) is not None


def bracketed_code(written: str) -> str | None:
    """Returns the code for text in brackets after a name: three capitals that are not a nickname. Otherwise None."""
    if len(written) != 3 or not written.isupper() or written in ALSO_A_NICKNAME:
        return None
    return _CODES.get(written)
