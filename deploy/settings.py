"""Django's settings. Everything an operator may change is an environment variable."""

from pathlib import Path

import allauth
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from deploy import environment

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(environment.text("DATA_DIR", str(BASE_DIR / "data"))).resolve()
DEBUG = environment.switch("DEBUG", default=False)
SECRET_KEY = environment.secret_key(DATA_DIR)
PUBLIC_URL = environment.text("PUBLIC_URL").rstrip("/")
CSRF_FAILURE_VIEW = "tournament.web.error_pages.stale_form"
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []
HTTPS = PUBLIC_URL.startswith("https://")
# HTTPS in addition to plain HTTP, for phones that trust the hall's own certificate authority.
HALL_HTTPS = environment.text("HALL_HTTPS")
HALL_AUTHORITY = environment.text("HALL_AUTHORITY")
# If true, cookies must work over both, because a phone may use HTTP and HTTPS.
ALSO_PLAIN_HTTP = bool(HALL_HTTPS) or environment.switch("ALSO_PLAIN_HTTP", default=False)
ONLY_HTTPS = HTTPS and not ALSO_PLAIN_HTTP
# Players may use both. Accounts sign in at this address only, if it is set.
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
    # Django adds random bytes to compressed pages, so that their length reveals no secrets (BREACH).
    "django.middleware.gzip.GZipMiddleware",
    "tournament.web.conditional.SharedPages",
    "tournament.web.unavailable.Unavailable",
    "tournament.web.request.StoresKeys",
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

# Timeout of web processes and workers for the database in seconds; 0: no timeout.
DATABASE_SECONDS = environment.database_seconds()
DATABASES = {"default": environment.database(environment.text("DATABASE_URL"), DATA_DIR)}
REDIS_URL = environment.redis_url()
# Prefix of every key and channel, so that several installations or test runs can share one Redis.
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
# django-allauth handles the second factor. Its sign-up, e-mail and password pages have no URLs here.
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
# Owners, directors and accounts that may create events must set up a second factor.
REQUIRE_SECOND_FACTOR = environment.switch("REQUIRE_SECOND_FACTOR", default=False)

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = ONLY_HTTPS
SESSION_ENGINE = "tournament.accounts.session_store"
# A session expires after SESSION_DAYS, or after SESSION_IDLE_DAYS without use.
SESSION_COOKIE_AGE = round(environment.number("SESSION_DAYS", 30) * 24 * 3600)
SESSION_IDLE_DAYS = environment.number("SESSION_IDLE_DAYS", 14)
# New tokens and a first password require a sign-in, or the password again, within the last minutes.
RECENT_SIGN_IN_MINUTES = environment.number("RECENT_SIGN_IN_MINUTES", 15)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS or HALL_HTTPS else None
SECURE_SSL_REDIRECT = False
SECURE_HSTS_SECONDS = int(environment.number("HSTS_SECONDS", 3600 if ONLY_HTTPS else 0))
# HSTS must not cover other subdomains or the browsers' preload list (W005, W021). The proxy redirects to HTTPS; health
# checks from this machine use plain HTTP (W008).
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021", "security.W008"]
if not ONLY_HTTPS:
    # Phones use plain HTTP in a hall, so cookies and pages must not require HTTPS.
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
# Filled by collectstatic: `up`, the image and the web unit run it.
STATIC_ROOT = Path(environment.text("STATIC_ROOT") or DATA_DIR / "static")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
# Of the libraries, only allauth has scripts that pages load, for passkeys.
STATICFILES_DIRS = [
    BASE_DIR / "templates" / "static",
    Path(allauth.__file__).parent / "account" / "static",
    Path(allauth.__file__).parent / "mfa" / "static",
]
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tournament.api.authentication.TokenAuthentication",
        "tournament.api.authentication.CookieAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["tournament.api.parsing.BoundedJSONParser"],
    "DEFAULT_VERSIONING_CLASS": "rest_framework.versioning.NamespaceVersioning",
    "DEFAULT_VERSION": "v1",
    "ALLOWED_VERSIONS": ["v1"],
    "DEFAULT_SCHEMA_CLASS": "tournament.api.schemes.TagByModule",
    "DEFAULT_THROTTLE_CLASSES": ["tournament.api.rate_limits.RequestThrottle"],
    "EXCEPTION_HANDLER": "tournament.api.problems.problem_response",
    "UNAUTHENTICATED_USER": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
# Requests a minute of one account or personal link, half as many for changes; 0: no limit.
API_REQUESTS_A_MINUTE = int(environment.number("API_REQUESTS_A_MINUTE", 6000))
AWARDED = ("walkover", "no_show", "double_no_show", "penalty", "clock", "unfinished", "settled")
SPECTACULAR_SETTINGS = {
    "TITLE": "Backgammon tournament director",
    "DESCRIPTION": (
        "Events, entries, draws, score cards, results, standings.\n\n"
        f"Limits: {API_REQUESTS_A_MINUTE:,} requests a minute of one account or personal link, at most half of them "
        "changes; as many from one address without credentials. Requests beyond a limit, and too many wrong tokens "
        "from one address, get 429 with `Retry-After`. JSON may be 6 MB long, with lists of 5,000 items; a URL 8 kB, "
        "all headers 32 kB. Requests with credentials may be 200 MB long, others 2 MB. A body sent more slowly than "
        "4 kB a second gets 408."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "TAGS": [
        {"name": "events", "description": "Events, the people who run them, tournaments, the journal."},
        {
            "name": "entries",
            "description": "Players: registered by hand or from a list, and the phones they report with.",
        },
        {"name": "draw", "description": "Draws, seats, brackets, results, standings."},
        {
            "name": "rounds",
            "description": "Lengths, clocks and sessions of rounds; pairing by records: Swiss, Monrad, lives.",
        },
        {
            "name": "corrections",
            "description": "Changes of a posted result and its consequences: preview, apply, undo.",
        },
        {
            "name": "jackpots",
            "description": "Small knock-out side events that start when they are full.",
        },
        {"name": "matches", "description": "A match and a player's own score card."},
        {
            "name": "records",
            "description": "Uploaded game records of a match, and their verdicts.",
        },
        {
            "name": "desk",
            "description": "All score cards, rulings, awards, retracted results, open questions.",
        },
        {"name": "money", "description": "Fees, payments, prizes, payouts, and the books of an event."},
        {"name": "room", "description": "Tables, calls and the next matches."},
        {"name": "forecast", "description": "Forecast of an event's end, slow matches and bottlenecks."},
        {"name": "account", "description": "Your own tokens, and the player of a phone."},
    ],
    "ENUM_NAME_OVERRIDES": {
        "ScopeEnum": [(scope, scope) for scope in ("read", "full")],
        "StateEnum": [(state, state) for state in ("open", "reported", "disputed", "posted", "cancelled")],
        "RecordStateEnum": [(state, state) for state in ("waiting", "checked", "unreadable", "too_much")],
        "CallStateEnum": [(state, state) for state in ("called", "second", "playing")],
        "SideEnum": [("left", "left"), ("right", "right")],
        "KeeperEnum": [("left", "left"), ("right", "right"), ("desk", "desk")],
        "MethodEnum": [(method, method) for method in ("random", "seeded")],
        "CurrencyEnum": "tournament.fees.amounts.current_currencies",
        "PaymentMethodEnum": [(method, method) for method in ("cash", "bank", "card", "other")],
        "JackpotStateEnum": [(state, state) for state in ("open", "drawn", "closed")],
        "WorthStateEnum": "tournament.api.worth.WorthState",
        "PairRuleKindEnum": [(kind, kind) for kind in ("together", "apart")],
        "AwardKindEnum": [(kind, kind) for kind in AWARDED],
        "ResultKindEnum": [(kind, kind) for kind in ("played", *AWARDED)],
        "CorrectionKindEnum": [(kind, kind) for kind in ("played", *AWARDED, "retracted")],
    },
}

SWEEP_SECONDS = environment.number("SWEEP_SECONDS", 5)
# Hours between two clean-ups; 0: no clean-ups. docs/operating.md lists what they remove and archive.
CLEAN_UP_HOURS = environment.number("CLEAN_UP_HOURS", 24)
SWEEP = environment.switch("SWEEP", default=True)
RECORD_SECONDS = int(environment.number("RECORD_SECONDS", 20))
# Bearer token for /metrics; unset: the page returns 404.
METRICS_TOKEN = environment.text("METRICS_TOKEN")
EVENT_STORAGE_MB = int(environment.number("EVENT_STORAGE_MB", 1000))
SECURITY_CONTACT = environment.text("SECURITY_CONTACT")
# Days without a change until an event is archived; 0: never.
LINKS_LAST_DAYS = int(environment.number("LINKS_LAST_DAYS", 30))
# Events and helper accounts that one account may create in 24 hours; 0: no limit.
EVENTS_A_DAY = int(environment.number("EVENTS_A_DAY", 20))
ACCOUNTS_A_DAY = int(environment.number("ACCOUNTS_A_DAY", 100))
# Days until account activity is removed; 0: never.
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
        # Django sets its own level here, which would override LOG_LEVEL.
        "django": {"level": "NOTSET"},
        # At DEBUG it logs whole template contexts including cookies.
        "django.template": {"level": "WARNING"},
        # `database_faults` logs once that the database is down; the pool logs each attempt.
        "psycopg.pool": {"level": "ERROR"},
        # Without a running installation a command cannot publish changes, which needs no warning.
        "tournament.runtime.database_faults": {
            "level": "ERROR" if environment.switch("NOBODY_LISTENS", default=False) else "NOTSET"
        },
        # The worker pool logs each child that ends; this logger does not propagate to the root.
        "multiprocessing": {"level": "ERROR", "handlers": ["console"]},
    },
    "root": {"handlers": ["console"], "level": environment.log_level()},
}
