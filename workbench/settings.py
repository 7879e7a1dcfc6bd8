"""Settings: one file, the environment read here and nowhere else.

Without ``DATABASE_URL`` the workbench is *embedded*: SQLite, a broker made of files, everything
under ``WORKBENCH_DATA_DIR``. With it, *team mode*: PostgreSQL, RabbitMQ or Redis, any number of
workers. Every variable stands in ``.env.example`` and ``docs/settings.md``.
"""

import json
import os
import re
import secrets
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP
from django.utils.translation import gettext_lazy as _
from environs import Env

BASE_DIR = Path(__file__).resolve().parent.parent

env = Env()
if (BASE_DIR / ".env").is_file():
    env.read_env(str(BASE_DIR / ".env"), recurse=False)

# --- Where things are ------------------------------------------------------------------------

DATA_DIR = Path(env.str("WORKBENCH_DATA_DIR", "") or BASE_DIR / "var").resolve()
DATABASE_URL = env.str("DATABASE_URL", "")
EMBEDDED = not DATABASE_URL
DEBUG = env.bool("WORKBENCH_DEBUG", False)
HTTPS = env.bool("WORKBENCH_HTTPS", not EMBEDDED)


def _embedded_secret(folder: Path) -> str:
    """Read the installation's own key, or make it on first start; only the owner may read it."""
    path = folder / "secret_key"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(64))
    return path.read_text(encoding="ascii").strip()


SECRET_KEY = env.str("WORKBENCH_SECRET_KEY", "")
if not SECRET_KEY:
    if not EMBEDDED:
        raise ImproperlyConfigured(
            "WORKBENCH_SECRET_KEY is not set. Team mode needs one of at least 50 random characters."
        )
    SECRET_KEY = _embedded_secret(DATA_DIR)

ALLOWED_HOSTS = env.list(
    "WORKBENCH_ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"] if EMBEDDED else []
)
CSRF_TRUSTED_ORIGINS: list[str] = env.list("WORKBENCH_TRUSTED_ORIGINS", [])

# --- Applications ----------------------------------------------------------------------------

INSTALLED_APPS = [
    "workbench",
    "reviews",
    "search",
    "sources",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "crispy_forms",
    "crispy_bootstrap5",
    "import_export",
    "axes",
]

MIDDLEWARE = [
    "workbench.requests.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "workbench.statics.CompressionMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "workbench.requests.SessionLimitsMiddleware",
    "workbench.requests.PreferencesMiddleware",
    "workbench.requests.SignInRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "workbench.urls"
WSGI_APPLICATION = "workbench.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "workbench.requests.look",
            ],
        },
    }
]

CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"

# --- Database --------------------------------------------------------------------------------

if EMBEDDED:
    DATA_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)
    DATABASES: dict[str, dict[str, Any]] = {
        "default": {
            "ENGINE": "workbench.lib.sqlite",  # as Django's, but writers stand in line
            "NAME": DATA_DIR / "workbench.sqlite3",
            "TEST": {"NAME": ":memory:"},  # said, since pytest-django knows one engine by name
            "OPTIONS": {
                # Writers wait for one another instead of failing: without WAL and IMMEDIATE
                # several writers get "database is locked" at once.
                "timeout": 60,
                "transaction_mode": "IMMEDIATE",
                "init_command": (
                    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                    "PRAGMA mmap_size=134217728; PRAGMA cache_size=-20000;"
                ),
            },
        }
    }
else:
    DATABASES = {"default": env.dj_db_url("DATABASE_URL")}
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    DATABASES["default"].setdefault("OPTIONS", {})
    if "postgresql" in DATABASES["default"]["ENGINE"]:
        DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 1, "max_size": 16, "timeout": 20}

# --- Files -----------------------------------------------------------------------------------

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "blobs": {
        "BACKEND": env.str("WORKBENCH_BLOB_STORAGE", "django.core.files.storage.FileSystemStorage"),
        "OPTIONS": json.loads(env.str("WORKBENCH_BLOB_OPTIONS", "null"))
        or {
            "location": DATA_DIR / "blobs",
            "file_permissions_mode": 0o600,
            "directory_permissions_mode": 0o700,
        },
    },
    "staticfiles": {
        "BACKEND": "workbench.statics.VersionedStorage"
        if EMBEDDED
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
UPLOAD_DIR = DATA_DIR / "uploads"
UPLOAD_MAX_BYTES = env.int("WORKBENCH_UPLOAD_MAX_MB", 2048) * 2**20
FILE_UPLOAD_PERMISSIONS = 0o600
# A note, a reason or a query fits; files go to the upload handler and are not counted here.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 2**20


def _package_folder(name: str) -> str:
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ImproperlyConfigured(f"The package {name} is not installed. Run ./run check.")
    return next(iter(spec.submodule_search_locations))


STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
if EMBEDDED:
    # WhiteNoise warns of a folder that is not there, though it serves by the finders here.
    STATIC_ROOT.mkdir(parents=True, exist_ok=True, mode=0o700)
STATICFILES_DIRS = [
    BASE_DIR / "static",
    ("bootstrap", _package_folder("bootstrap")),
]
# No collectstatic at first start: it takes longer than everything else together.
WHITENOISE_USE_FINDERS = EMBEDDED
WHITENOISE_AUTOREFRESH = DEBUG

# --- Jobs ------------------------------------------------------------------------------------
# The job row is the truth, the message only a nudge: see docs/decisions.

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", "") or (
    "spool://localhost/" + quote((DATA_DIR / "spool").as_posix().lstrip("/"))
)
# One broker may serve several installations, each with a queue of its own.
CELERY_TASK_DEFAULT_QUEUE = env.str("WORKBENCH_QUEUE", "workbench")
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# A job goes on while the broker is away: its row holds the lease, and whoever gets the message
# again finds it taken. Stopping it would cost a try and the work done so far.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_TASK_ALWAYS_EAGER = False
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
# Half a minute: a nudge that was lost (a broker without its disk) costs a user no more than that.
CELERY_BEAT_SCHEDULE = {
    "sweep-jobs": {"task": "sources.tasks.sweep_jobs", "schedule": 30.0},
    # New sources, other rules: whatever no job was queued for is scored within some minutes.
    "score-what-has-no-score": {"task": "sources.tasks.queue_scoring", "schedule": 300.0},
    # Rules of the blacklist end by date, and tables that they read change: once a day is enough.
    "end-blacklist-rules": {"task": "sources.tasks.end_blacklist_rules", "schedule": 86_400.0},
    # An override may have a last day; whoever looks next morning finds the computed value.
    "end-overrides": {"task": "sources.tasks.end_overrides", "schedule": 3600.0},
    "ask-about-retractions": {
        "task": "sources.tasks.queue_retraction_checks",
        "schedule": 3600.0,
    },
    # Whoever changes sources queues what follows; this finds what nobody queued.
    "follow-sources": {"task": "search.tasks.follow_sources", "schedule": 60.0},
}
# What follows when sources change: tasks by name, since sources import no app above them. Each is
# queued once for any number of changes (sources.following).
SOURCE_FOLLOW_UPS = {
    "facts": ["sources.tasks.score_sources", "sources.tasks.match_blacklist"],
    "clusters": [
        "sources.tasks.assign_clusters",
        "sources.tasks.match_blacklist",
        "sources.tasks.match_notices",
    ],
    "hits": ["search.tasks.admit_sources"],
    "sources": ["search.tasks.admit_sources"],
    "records": ["search.tasks.clean_records"],
    "standing": ["reviews.tasks.check_claims_of_sources"],
}
_broker_scheme = urlsplit(CELERY_BROKER_URL).scheme
if _broker_scheme in {"amqp", "amqps", "pyamqp"}:
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"confirm_publish": True}
    CELERY_TASK_DEFAULT_QUEUE_TYPE = "quorum"
    CELERY_TASK_DEFAULT_EXCHANGE_TYPE = "topic"
    CELERY_WORKER_DETECT_QUORUM_QUEUES = True
elif _broker_scheme in {"redis", "rediss"}:
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 3600,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
    }

# --- Network ---------------------------------------------------------------------------------
# Everything that is fetched goes through workbench.lib.http, which refuses hosts that are not on
# the public internet. These are the exceptions that an operator names.


def _places(name: str, given: list[str]) -> list[str]:
    """Check ``host`` and ``host:port`` entries; what is neither stops the start."""
    places = [place.strip() for place in given if place.strip()]
    for place in places:
        if not re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[^\s\[\]/\\:@?#%*]+)(:\d{1,5})?", place):
            raise ImproperlyConfigured(f"{name}: “{place}” is no host and no host:port.")
    return places


FETCH_ALLOW = _places("WORKBENCH_FETCH_ALLOW", env.list("WORKBENCH_FETCH_ALLOW", []))
FETCH_HOST_DELAY = env.float("WORKBENCH_FETCH_HOST_DELAY", 1.0)  # seconds
if not 0 <= FETCH_HOST_DELAY <= 3600:
    raise ImproperlyConfigured("WORKBENCH_FETCH_HOST_DELAY is in seconds, 0 to 3600.")
FETCH_ROBOTS = env.bool("WORKBENCH_FETCH_ROBOTS", True)  # keep to the robots.txt of hosts
CONTACT_EMAIL = env.str("WORKBENCH_CONTACT_EMAIL", "")

# A base URL replaces scheme, host, port and any path prefix; the paths behind it stay. It may lead
# to a proxy of the operator, so its host is allowed wherever it is.
PROVIDER_HOMES = {
    "serper": "https://google.serper.dev",
    "tavily": "https://api.tavily.com",
    "exa": "https://api.exa.ai",
    "brave": "https://api.search.brave.com",
    "pubmed": "https://eutils.ncbi.nlm.nih.gov",
    "europepmc": "https://www.ebi.ac.uk",
    "clinicaltrials": "https://clinicaltrials.gov",
    "openfda": "https://api.fda.gov",
    "crossref": "https://api.crossref.org",
    "openalex": "https://api.openalex.org",
    "unpaywall": "https://api.unpaywall.org",
    "wayback": "https://web.archive.org",
    "wayback-available": "https://archive.org",
    "biorxiv": "https://api.biorxiv.org",
    "openrouter": "https://openrouter.ai",
}
PROVIDER_BASE_URLS = PROVIDER_HOMES | {
    "serper": env.str("SERPER_BASE_URL", PROVIDER_HOMES["serper"]),
    "tavily": env.str("TAVILY_BASE_URL", PROVIDER_HOMES["tavily"]),
    "exa": env.str("EXA_BASE_URL", PROVIDER_HOMES["exa"]),
    "brave": env.str("BRAVE_BASE_URL", PROVIDER_HOMES["brave"]),
    "pubmed": env.str("PUBMED_BASE_URL", PROVIDER_HOMES["pubmed"]),
    "europepmc": env.str("EUROPEPMC_BASE_URL", PROVIDER_HOMES["europepmc"]),
    "clinicaltrials": env.str("CLINICALTRIALS_BASE_URL", PROVIDER_HOMES["clinicaltrials"]),
    "openfda": env.str("OPENFDA_BASE_URL", PROVIDER_HOMES["openfda"]),
    "crossref": env.str("CROSSREF_BASE_URL", PROVIDER_HOMES["crossref"]),
    "openalex": env.str("OPENALEX_BASE_URL", PROVIDER_HOMES["openalex"]),
    "unpaywall": env.str("UNPAYWALL_BASE_URL", PROVIDER_HOMES["unpaywall"]),
    "wayback": env.str("WAYBACK_BASE_URL", PROVIDER_HOMES["wayback"]),
    # A stand-in for the archive stands in for both of its hosts, unless told otherwise.
    "wayback-available": env.str("WAYBACK_AVAILABLE_BASE_URL", "")
    or env.str("WAYBACK_BASE_URL", PROVIDER_HOMES["wayback-available"]),
    "biorxiv": env.str("BIORXIV_BASE_URL", PROVIDER_HOMES["biorxiv"]),
    "openrouter": env.str("OPENROUTER_BASE_URL", PROVIDER_HOMES["openrouter"]),
}
for _slug, _url in PROVIDER_BASE_URLS.items():
    if not re.fullmatch(r"https?://[^\s/@?#\\]+(/[^\s@?#\\]*)?", _url):
        _name = _slug.upper().replace("-", "_")
        raise ImproperlyConfigured(f"{_name}_BASE_URL: “{_url}” is no http address.")
PROVIDER_KEYS = {
    "serper": env.str("SERPER_API_KEY", ""),
    "tavily": env.str("TAVILY_API_KEY", ""),
    "exa": env.str("EXA_API_KEY", ""),
    "brave": env.str("BRAVE_API_KEY", ""),
    "pubmed": env.str("PUBMED_API_KEY", "") or env.str("NCBI_API_KEY", ""),
    "openfda": env.str("OPENFDA_API_KEY", ""),
    "openalex": env.str("OPENALEX_API_KEY", ""),
    "openrouter": env.str("OPENROUTER_API_KEY", ""),
}
# Days after which providers are asked anew whether a source was retracted; 0: only people ask.
RETRACTION_DAYS = env.int("WORKBENCH_RETRACTION_DAYS", 7)

# --- Blacklist -------------------------------------------------------------------------------

# A rule that blocks what so many claims rest on holds only after a second administrator agreed.
BLACKLIST_SECOND_ADMIN_CLAIMS = env.int("WORKBENCH_BLACKLIST_SECOND_ADMIN_CLAIMS", 20)

# --- People ----------------------------------------------------------------------------------

AUTH_USER_MODEL = "sources.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "sign-in"

# Ten wrong passwords for one name from one address, fifty from one address whatever the name.
AXES_HANDLER = "workbench.throttle.Handler"
AXES_FAILURE_LIMIT = 10
SIGN_IN_FAILURES_OF_AN_ADDRESS = 50
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_COOLOFF_TIME = 0.25  # hours, from the last wrong password that was looked at
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_LOCKOUT_CALLABLE = "workbench.throttle.locked_out"
AXES_RESET_ON_SUCCESS = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
AXES_IPWARE_PROXY_COUNT = env.int("WORKBENCH_PROXY_COUNT", 0)
AXES_DISABLE_ACCESS_LOG = True
SILENCED_SYSTEM_CHECKS: list[str] = []

# --- Sessions, cookies, headers ---------------------------------------------------------------

SESSION_IDLE_SECONDS = 2 * 3600
SESSION_MAX_SECONDS = 12 * 3600
SESSION_COOKIE_AGE = SESSION_MAX_SECONDS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "workbench.errors.csrf_failure"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
if HTTPS:
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
    SECURE_SSL_REDIRECT = env.bool("WORKBENCH_SSL_REDIRECT", True)
    SECURE_HSTS_SECONDS = env.int("WORKBENCH_HSTS_SECONDS", 31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    if env.bool("WORKBENCH_BEHIND_TLS_PROXY", False):
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_CSP = {
    "default-src": [CSP.NONE],
    # The nonce is for import maps alone, which can only stand in the page.
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "frame-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
    "object-src": [CSP.NONE],
}

# --- Languages -------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "workbench" / "locale"]
LANGUAGE_COOKIE_NAME = "language"
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("WORKBENCH_TIME_ZONE", "UTC")

# --- Log -------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "workbench.logs.LineFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.str("WORKBENCH_LOG_LEVEL", "INFO")},
    "loggers": {
        "django.server": {"level": "WARNING"},
        "axes": {"level": "WARNING"},
        "celery": {"level": "WARNING"},
        # Their finest lines hold whole headers.
        "httpx": {"level": "WARNING"},
        "httpcore": {"level": "WARNING"},
        "waitress.queue": {"level": "ERROR"},
    },
}
