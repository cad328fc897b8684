"""The settings: one file, every knob an environment variable."""

from pathlib import Path

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from deploy import environment

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(environment.text("DATA_DIR", str(BASE_DIR / "data"))).resolve()
DEBUG = environment.switch("DEBUG", default=False)
SECRET_KEY = environment.secret_key(DATA_DIR)
PUBLIC_URL = environment.text("PUBLIC_URL").rstrip("/")
CSRF_FAILURE_VIEW = "tournament.web.refusals.stale_form"
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []
HTTPS = PUBLIC_URL.startswith("https://")
# HTTPS beside plain HTTP, for phones that were told to trust the hall's own authority.
HALL_HTTPS = environment.text("HALL_HTTPS")
HALL_AUTHORITY = environment.text("HALL_AUTHORITY")
# Then a cookie must not be for one of the two alone: the same phone comes back over the other.
ALSO_PLAIN_HTTP = bool(HALL_HTTPS) or environment.switch("ALSO_PLAIN_HTTP", default=False)
ONLY_HTTPS = HTTPS and not ALSO_PLAIN_HTTP
# Players use both ways. Accounts sign in at this address only, if there is one.
STAFF_HTTPS = HALL_HTTPS or (PUBLIC_URL if HTTPS and ALSO_PLAIN_HTTP else "")
ALLOWED_HOSTS = environment.comma_list("ALLOWED_HOSTS") or environment.hosts_of(PUBLIC_URL)
# A laptop in a hall is reached by an IP address, which Django patterns cannot express; `deploy.allowed_hosts` does.
ADDRESSES_AND_NAMES = not ONLY_HTTPS and not environment.text("ALLOWED_HOSTS")
if ADDRESSES_AND_NAMES:
    ALLOWED_HOSTS += ["*", ".local"]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "rules",
    "matches",
    "tournament",
    "deploy",
]

MIDDLEWARE = [
    "deploy.security_headers.SecurityHeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    # Pages, style sheets and scripts travel at a quarter of their size; Django blurs the length of what is secret.
    "django.middleware.gzip.GZipMiddleware",
    "deploy.static_files.StaticFilesMiddleware",
    "tournament.web.unavailable.Unavailable",
    "tournament.pages.accounts.staff_https.StaffHttps",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "deploy.allowed_hosts.AllowedHostsMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "tournament.pages.accounts.session_use.SessionUse",
    "tournament.pages.accounts.second_factor.RequiredSecondFactor",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "deploy.urls"
WSGI_APPLICATION = "deploy.wsgi.application"
ASGI_APPLICATION = "deploy.asgi.application"
APPEND_SLASH = True

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["django.template.loaders.filesystem.Loader"],
                )
            ]
            if not DEBUG
            else ["django.template.loaders.filesystem.Loader"],
        },
    }
]

# How long whoever serves people waits for the database; 0: as long as it takes.
DATABASE_SECONDS = environment.database_seconds()
DATABASES = {"default": environment.database(environment.text("DATABASE_URL"), DATA_DIR)}
REDIS_URL = environment.redis_url()
# Several installations, or test runs, may share one server: every key and channel carries the prefix.
REDIS_PREFIX = environment.text("REDIS_PREFIX", "director:")

CACHES = {
    "default": {
        "BACKEND": "deploy.fail_open_cache.FailOpenCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": REDIS_PREFIX,
        "OPTIONS": {"socket_connect_timeout": 0.2, "socket_timeout": 0.2},
    }
}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
# django-allauth asks for the second factor. Its own sign-up, e-mail and password pages have no address here.
ACCOUNT_ADAPTER = "tournament.pages.accounts.second_factor.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_RATE_LIMITS = {"login_failed": "5/5m/key"}
MFA_ADAPTER = "tournament.pages.accounts.second_factor.SecondFactorAdapter"
MFA_FORMS = {"authenticate": "tournament.pages.accounts.second_factor_form.CodeForm"}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1
MFA_TOTP_ISSUER = "Backgammon director"
# Owners, directors and whoever may create events set up a second factor before they go on.
REQUIRE_SECOND_FACTOR = environment.switch("REQUIRE_SECOND_FACTOR", default=False)

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = ONLY_HTTPS
SESSION_ENGINE = "tournament.accounts.session_store"
# A session ends after SESSION_DAYS in any case, and earlier when it is not used for SESSION_IDLE_DAYS.
SESSION_COOKIE_AGE = round(environment.number("SESSION_DAYS", 30) * 24 * 3600)
SESSION_IDLE_DAYS = environment.number("SESSION_IDLE_DAYS", 14)
# New tokens and a first password need a sign-in, or a password entered again, within so many minutes.
RECENT_SIGN_IN_MINUTES = environment.number("RECENT_SIGN_IN_MINUTES", 15)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS or HALL_HTTPS else None
SECURE_SSL_REDIRECT = False
SECURE_HSTS_SECONDS = int(environment.number("HSTS_SECONDS", 3600 if ONLY_HTTPS else 0))
# Other names of the same domain are not ours to speak for, nor is a list that browsers carry (W005, W021). The proxy
# that holds the certificate leads to HTTPS; this machine itself asks over plain HTTP how we are (W008).
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021", "security.W008"]
if not ONLY_HTTPS:
    # Plain HTTP in a hall: a cookie or a page for HTTPS alone would shut its phones out.
    SILENCED_SYSTEM_CHECKS += ["security.W004", "security.W012", "security.W016"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}

DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 4000
FILE_UPLOAD_HANDLERS = [
    "tournament.web.uploads.BoundedUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "tournament" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
# Served from where they lie; an operator who collects them elsewhere names that folder.
STATIC_ROOT = environment.text("STATIC_ROOT") or None
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "deploy.static_files.VersionedStorage"},
}
STATICFILES_DIRS = [BASE_DIR / "templates" / "static"]
WHITENOISE_USE_FINDERS = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tournament.api.authentication.TokenAuthentication",
        "tournament.api.authentication.BrowserCookies",
    ],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["tournament.api.parsing.BoundedJSONParser"],
    "DEFAULT_VERSIONING_CLASS": "rest_framework.versioning.NamespaceVersioning",
    "DEFAULT_VERSION": "v1",
    "ALLOWED_VERSIONS": ["v1"],
    "DEFAULT_SCHEMA_CLASS": "tournament.api.schemes.ByRoom",
    "DEFAULT_THROTTLE_CLASSES": ["tournament.api.throttling.Pace"],
    "EXCEPTION_HANDLER": "tournament.api.problems.as_problem",
    "UNAUTHENTICATED_USER": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
# Requests with one token, and half as many that change something; 0 counts none.
API_REQUESTS_A_MINUTE = int(environment.number("API_REQUESTS_A_MINUTE", 6000))
AWARDED = ("walkover", "no_show", "double_no_show", "penalty", "clock", "unfinished")
SPECTACULAR_SETTINGS = {
    "TITLE": "Backgammon tournament director",
    "DESCRIPTION": (
        "Events, entries, draws, score cards, results, standings.\n\n"
        f"Limits: {API_REQUESTS_A_MINUTE:,} requests a minute with one token, half of them such as change something; "
        "as many from one address without a token; 120 wrong tokens a minute from one address. Who asks more often "
        "is answered 429 with `Retry-After`. JSON may be 6 MB long, with lists of 5,000 items; an address 8 kB, all "
        "headers 32 kB; a file of more than 16 MB one at a time, and strangers 2 MB in all. What is sent more slowly "
        "than 4 kB a second, 32 kB for large files, is answered 408."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "TAGS": [
        {"name": "events", "description": "Events, the people who run them, tournaments, the journal."},
        {
            "name": "entries",
            "description": "Who plays: by hand, from a list, and the phones they report with.",
        },
        {"name": "draw", "description": "Draws, seats, brackets, round lengths, results, standings."},
        {"name": "rounds", "description": "Rounds paired from the records so far: Swiss, Monrad, lives."},
        {
            "name": "corrections",
            "description": "A posted result changed with all that follows: previewed, made, undone.",
        },
        {
            "name": "jackpots",
            "description": "Small knock-outs beside a tournament that start when they are full.",
        },
        {"name": "matches", "description": "A match and a player's own score card."},
        {
            "name": "records",
            "description": "Files that record the games of a match, and the verdicts on them.",
        },
        {"name": "desk", "description": "Any card, rulings, awards, results taken back, open questions."},
        {"name": "room", "description": "Tables, who is called to which, and who comes next."},
        {"name": "flow", "description": "When an event is likely to end, what is slow, what holds it up."},
        {"name": "account", "description": "One's own tokens, and what a player's phone is for."},
    ],
    "ENUM_NAME_OVERRIDES": {
        "ScopeEnum": [(scope, scope) for scope in ("read", "full")],
        "StateEnum": [(state, state) for state in ("open", "reported", "disputed", "posted", "cancelled")],
        "RecordStateEnum": [(state, state) for state in ("waiting", "checked", "unreadable", "too_much")],
        "CallStateEnum": [(state, state) for state in ("called", "second", "playing")],
        "SideEnum": [("left", "left"), ("right", "right")],
        "KeeperEnum": [("left", "left"), ("right", "right"), ("desk", "desk")],
        "JackpotStateEnum": [(state, state) for state in ("open", "drawn", "closed")],
        "AwardKindEnum": [(kind, kind) for kind in AWARDED],
        "ResultKindEnum": [(kind, kind) for kind in ("played", *AWARDED)],
        "CorrectionKindEnum": [(kind, kind) for kind in ("played", *AWARDED, "retracted")],
    },
}

SWEEP_SECONDS = environment.number("SWEEP_SECONDS", 5)
# Ended sessions, links, tokens and old account activity are removed once in so many hours; 0: never.
CLEAN_UP_HOURS = environment.number("CLEAN_UP_HOURS", 24)
SWEEP = environment.switch("SWEEP", default=True)
RECORD_SECONDS = int(environment.number("RECORD_SECONDS", 20))
# Whoever shows it may read /metrics; without it there is no such page.
METRICS_TOKEN = environment.text("METRICS_TOKEN")
EVENT_STORAGE_MB = int(environment.number("EVENT_STORAGE_MB", 1000))
SECURITY_CONTACT = environment.text("SECURITY_CONTACT")
# Days after the last deed of an event until it is closed and its links end; 0: never.
LINKS_LAST_DAYS = int(environment.number("LINKS_LAST_DAYS", 30))
# Events and helper accounts that one account may create in 24 hours; 0: no limit.
EVENTS_A_DAY = int(environment.number("EVENTS_A_DAY", 20))
ACCOUNTS_A_DAY = int(environment.number("ACCOUNTS_A_DAY", 100))
# Days until a line of an account's activity is removed; 0: never.
ACCOUNT_LOG_DAYS = int(environment.number("ACCOUNT_LOG_DAYS", 365))

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "filters": {
        "one line": {"()": "deploy.log_shortening.ShortenExpectedErrors"},
        "no secrets": {"()": "deploy.log_redaction.RedactSecrets"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["one line", "no secrets"],
        },
    },
    "loggers": {
        # Django gives it a level of its own, below which LOG_LEVEL would not reach.
        "django": {"level": "NOTSET"},
        # At DEBUG it writes whole template contexts, with cookies in them.
        "django.template": {"level": "WARNING"},
        # That the database is away is told once, by `outages`; the pool tells of each attempt.
        "psycopg.pool": {"level": "ERROR"},
        # A command by itself, where nobody runs: that nobody can be told is not worth a line.
        "tournament.runtime.database_faults": {
            "level": "ERROR" if environment.switch("NOBODY_LISTENS", default=False) else "NOTSET"
        },
        # Whose children end; it speaks to no other logger.
        "multiprocessing": {"level": "ERROR", "handlers": ["console"]},
    },
    "root": {"handlers": ["console"], "level": environment.log_level()},
}
