"""What an installation may set: frozen, read once at the entry points, handed down as values."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from urllib.parse import urlsplit

from rostrum_core.errors import BadInput

PREFIX = "ROSTRUM_"
ARCHIVE = PREFIX + "ARCHIVE"
MODELS = PREFIX + "MODELS"
OPENSEARCH_URL = PREFIX + "OPENSEARCH_URL"
API_KEYS = PREFIX + "API_KEYS"
REDIS_URL = PREFIX + "REDIS_URL"
REFRESH_SCHEDULE = PREFIX + "REFRESH_SCHEDULE"
SOURCES = PREFIX + "SOURCES"
API_KEY = PREFIX + "API_KEY"
DEVICES = ("cpu", "cuda")
ENGINES = ("onnxruntime", "openvino", "torch")
PRECISIONS = ("float32", "bfloat16")
ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:\d+)?|https?://\[[0-9a-f:]+\](:\d+)?")
REDIS_SCHEMES = ("redis://", "rediss://")
IN_USE = "in-use.json"  # tells which version is used, in a folder of versions of the models


def default_archive() -> Path:
    """Where an archive lives if nobody says: `rostrum/archive` in the user's data folder.

    Raises:
        BadInput: the system knows no home of the user.
    """
    return _data_folder(ARCHIVE) / "archive"


def default_models() -> Path:
    """Where versions of the models are kept if nobody says: `rostrum/models` in the user's data folder.

    Raises:
        BadInput: the system knows no home of the user.
    """
    return _data_folder(MODELS) / "models"


def _data_folder(variable: str) -> Path:
    try:
        data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    except RuntimeError as error:
        name = variable.removeprefix(PREFIX).lower()
        raise BadInput(f"the user has no home folder: set {variable}", field=name) from error
    return Path(data) / "rostrum"


@dataclass(frozen=True)
class Settings:
    """Each field `x` is set by the variable `ROSTRUM_X`.

    `archive`: folder of the embedded store. `models`: folder of weights, or of versions of them; `None` is
    the shipped ones.
    `rules`: file of rules for boilerplate, beside the shipped ones.
    `threads`: of model code; 0 is one per core. `candidates`: how many paragraphs are reranked.
    `timeout_s`: how long an answer may take before it comes without the ranker. `redis_url`: where Celery
    workers run model code; `None` is this process; never shown, as it may hold a password. `sources`: folder
    of the transcripts that a worker of refresh jobs reads. `refresh_schedule`: when `rostrum beat` asks for
    one, as cron does, in UTC. `device`: what model code runs on. `engine` and `precision`: what computes it
    there, and in which numbers; `None` is as usual on the device.
    `opensearch_url`: where the archive is kept in its place; `None` is the folder. The others that begin so
    are told in `opensearch.Connection` and `opensearch.Layout`; the password is never shown.
    `api_keys`: file of the keys that the HTTP service asks for; `None` asks for none, on loopback only.
    `api_concurrency`: how many requests it works on at once. `api_cache_bytes`: of answers it keeps.
    `api_requests_per_minute`: of one client; 0 is as many as it likes. `api_origins`: whose pages may ask.
    `api_key`: the key that a command sends to a service; never shown.
    """

    archive: Path
    models: Path | None = None
    threads: int = 0
    candidates: int = 50
    timeout_s: float = 60.0
    redis_url: str | None = field(default=None, repr=False)
    sources: Path | None = None
    refresh_schedule: str | None = None
    device: str = "cpu"
    engine: str | None = None
    precision: str | None = None
    rules: Path | None = None
    opensearch_url: str | None = None
    opensearch_user: str | None = None
    opensearch_password: str | None = field(default=None, repr=False)
    opensearch_ca: Path | None = None
    opensearch_certificate: Path | None = None
    opensearch_key: Path | None = None
    opensearch_prefix: str = "rostrum-"
    opensearch_timeout_s: float = 10.0
    opensearch_connections: int = 16
    opensearch_engine: str = "faiss"
    opensearch_shards: int = 1
    api_key: str | None = field(default=None, repr=False)
    api_keys: Path | None = None
    api_origins: tuple[str, ...] = ()
    api_requests_per_minute: int = 1200
    api_concurrency: int = 8
    api_cache_bytes: int = 32 << 20

    def __post_init__(self) -> None:
        for name, least in LEAST.items():
            if not getattr(self, name) >= least:  # NaN is refused too
                raise BadInput(f"{PREFIX}{name.upper()} must be at least {least}", field=name)
        for name in TIMES:
            if getattr(self, name) > LONGEST_S:
                raise BadInput(f"{PREFIX}{name.upper()} must be at most {LONGEST_S}", field=name)
        for name, known in (("device", DEVICES), ("engine", ENGINES), ("precision", PRECISIONS)):
            if getattr(self, name) not in (*known, None):
                raise BadInput(f"{PREFIX}{name.upper()} must be one of {', '.join(known)}", field=name)
        if self.device == "cuda" and self.engine not in ("torch", None):
            told = f"{PREFIX}ENGINE={self.engine} computes on a CPU: unset it for {PREFIX}DEVICE=cuda"
            raise BadInput(told, field="engine")
        if self.redis_url is not None:
            check_redis(self.redis_url)


def check_redis(url: str) -> None:
    """Nothing, if it is the address of a Redis; it may hold a password, so that no message repeats it.

    >>> check_redis("redis://127.0.0.1:6379/0")

    Raises:
        BadInput: it is none.
    """
    if not url.startswith(REDIS_SCHEMES):
        raise BadInput(f"{PREFIX}REDIS_URL must begin with redis:// or rediss://", field="redis_url")
    try:
        urlsplit(url).port  # noqa: B018  read to be checked
    except ValueError:
        told = f"{PREFIX}REDIS_URL has a host or a port that cannot be read"
        raise BadInput(told, field="redis_url") from None


TIMES = ("timeout_s", "opensearch_timeout_s")
LONGEST_S = 86_400

LEAST = {
    "threads": 0,
    "candidates": 1,
    "timeout_s": 0.001,
    "opensearch_timeout_s": 0.001,
    "opensearch_connections": 1,
    "opensearch_shards": 1,
    "api_concurrency": 1,
    "api_cache_bytes": 0,
    "api_requests_per_minute": 0,
}


def origins(text: str) -> tuple[str, ...]:
    """Origins of pages, as browsers send them, separated by commas.

    >>> origins("https://a.example, http://localhost:3000")
    ('https://a.example', 'http://localhost:3000')

    Raises:
        ValueError: one is no scheme with a host, and perhaps a port.
    """
    found = tuple(each.strip() for each in text.split(","))
    for each in found:
        if not ORIGIN.fullmatch(each):
            raise ValueError(f"{each!r} is no origin like https://example.org")
    return found


READERS: dict[str, Callable[[str], object]] = {
    "archive": Path,
    "models": Path,
    "threads": int,
    "candidates": int,
    "timeout_s": float,
    "rules": Path,
    "sources": Path,
    "opensearch_ca": Path,
    "opensearch_certificate": Path,
    "opensearch_key": Path,
    "opensearch_timeout_s": float,
    "opensearch_connections": int,
    "opensearch_shards": int,
    "api_keys": Path,
    "api_concurrency": int,
    "api_cache_bytes": int,
    "api_origins": origins,
    "api_requests_per_minute": int,
}


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Settings from `ROSTRUM_*` variables; what is not set has its default.

    >>> read_settings({"ROSTRUM_ARCHIVE": "speeches", "ROSTRUM_CANDIDATES": "20"}).candidates
    20

    Raises:
        BadInput: a variable with the prefix is unknown, its value is empty or not of its kind, or no folder
            is known for the archive.
    """
    known = {PREFIX + each.name.upper(): each.name for each in fields(Settings)}
    values: dict[str, object] = {}
    for variable in sorted(name for name in environment if name.startswith(PREFIX)):
        if variable not in known:
            raise BadInput(f"{variable} is not a setting; there are {', '.join(sorted(known))}")
        name = known[variable]
        if not environment[variable]:
            raise BadInput(f"{variable} is empty: give it a value, or unset it", field=name)
        try:
            values[name] = READERS.get(name, str)(environment[variable])
        except ValueError as error:
            raise BadInput(f"{variable}: {error}", field=name) from error
    if "archive" not in values:
        values["archive"] = default_archive()
    if "models" not in values and (published := _published_models()):
        values["models"] = published
    return Settings(**values)  # type: ignore[arg-type]


def _published_models() -> Path | None:
    """The user's folder of versions, once one was published there; `None` too for a user without a home.

    Raises:
        BadInput: nobody can tell, as the folder cannot be read.
    """
    try:
        (default_models() / IN_USE).stat()
    except (BadInput, FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:  # other models than those that were published would answer
        told = f"{error.filename} cannot be read ({error.strerror}): set {MODELS}"
        raise BadInput(told, field="models") from error
    return default_models()
