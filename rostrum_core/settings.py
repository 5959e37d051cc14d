"""Define the settings of an installation, one line each.

Settings are read once at the entry points and passed on as values.
"""

from __future__ import annotations

import math
import os
import pwd
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

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
ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:\d+)?|https?://\[[0-9a-f:]+\](:\d+)?")
REDIS_SCHEMES = ("redis://", "rediss://")
DATABASE = re.compile("/?|/[0-9]+")
"""Match the path of a Redis address: the number of its database, or nothing."""

Device = Literal["cpu", "cuda"]
Count = Annotated[int, Meta(ge=1)]
Number = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(ge=0.001, le=86_400)]
Origins = Annotated[tuple[str, ...], Meta(extra={"origins": True})]
Networks = Annotated[tuple[str, ...], Meta(extra={"networks": True})]


def declare(default: Any, help: str, shown: str = "", *, secret: bool = False) -> Any:
    """Declare a setting: its default, and the Markdown for docs/settings.md that explains default and
    meaning.
    """
    return field(default=default, repr=not secret, metadata={"help": help, "shown": shown})


@dataclass(frozen=True)
class Settings:
    """Hold the settings of an installation. The environment variable `ROSTRUM_X` sets the field `x`.

    Raises:
        BadInput: `device` and `engine` contradict each other, or `redis_url` is not an address of a Redis.
    """

    # fmt: off
    archive: Path = declare(Path(), "folder of the embedded archive; with an OpenSearch, of what was refused (`dead-letters.jsonl`)", "`archive` in the data folder")
    data: Path = declare(Path("rostrum"), "data folder of the user, for an archive and models that no other setting names", "`$XDG_DATA_HOME/rostrum`, else `~/.local/share/rostrum`")
    models: Path | None = declare(None, "folder of the weights, or of versions of them, as `rostrum models` keeps them", "`models` in the data folder, once something was [published](commands.md) there; else the shipped ones")
    threads: Number = declare(0, "threads of model code", "0: one per core")
    candidates: Count = declare(50, "how many paragraphs are reranked for a draft")
    rules: Path | None = declare(
        None, "file of [rules for boilerplate](cleaning.md), in addition to the shipped ones"
    )
    timeout_s: Seconds = declare(60.0, "seconds an answer may take before it comes without the ranker, marked degraded; a day at most")
    opensearch_url: str | None = declare(None, "the [OpenSearch](opensearch.md) that keeps the archive: `http://` or `https://`, without user and password", "none: the archive is a folder")
    opensearch_user: str | None = declare(None, "user of the cluster; needs a password")
    opensearch_password: str | None = declare(None, "password of the user; never shown", secret=True)
    opensearch_ca: Path | None = declare(None, "file of the certificates that the cluster's is checked by, in PEM", "the public authorities")
    opensearch_certificate: Path | None = declare(None, "file of our own certificate, in PEM, where the cluster asks for one")
    opensearch_key: Path | None = declare(None, "file of the key to it, in PEM")
    opensearch_prefix: str = declare("rostrum-", "begins the name of every index, alias and template: another prefix is another archive")
    opensearch_timeout_s: Seconds = declare(10.0, "seconds a request to the cluster may take, with all its repetitions, a day at most; bulk requests have 120, copying and merging of a publication an hour")
    opensearch_connections: Count = declare(16, "connections that are kept open at most")
    opensearch_engine: str = declare("lucene", "how nearest vectors are located in new archives: `lucene` (graphs in float32), `faiss` (graphs in fp16, half the memory; needs the native libraries of the full distribution), or `exact` (all are compared)")
    opensearch_shards: Count = declare(1, "shards of each index of new archives")
    redis_url: str | None = declare(None, "the Redis by which [workers](workers.md) get model code to run: `redis://` or `rediss://` (TLS); it may hold a password, which is never shown", "none: model code runs in the process", secret=True)
    sources: Path | None = declare(None, "folder of transcripts on the machine of a worker of [refresh jobs](workers.md#refresh-jobs): it reads there and nowhere else. A service without a Redis reads there too")
    refresh_schedule: str | None = declare(None, "when `rostrum beat` asks for a refresh: minute, hour, day of the month, month, day of the week, as cron writes them, in UTC; one of the two kinds of days is `*`. `30 3 * * *` is half past three every night, `*/15 * * * *` every quarter of an hour")
    canary: Literal["off", "warn", "block"] = declare("warn", "what happens if [saved drafts](operations.md#saved-drafts) lose their top results in a generation or in models that are to be published: `off` compares nothing, `warn` publishes and says so, `block` keeps back what is new until an operator publishes it")
    device: Device = declare("cpu", "what model code runs on: `cpu`, or `cuda`, a GPU, with the extra `gpu`. With workers it also says where requests are sent: `cuda` is the queue [`rerank.gpu`](workers.md#gpus), and the sender needs no GPU")
    engine: Literal["auto", "onnxruntime", "openvino", "torch"] = declare("auto", "what computes the models: `onnxruntime`, `openvino`, or `torch` with the extra `gpu`. `auto` is `openvino` where it is installed and the processor multiplies bfloat16 or int8, else `onnxruntime`; on `cuda` it is `torch`")
    precision: Literal["float32", "bfloat16", "int8"] | None = declare(None, "numbers it computes in: `float32`, `bfloat16` with `openvino` or `torch`, or `int8` with `openvino`: the ranker's linear layers in int8, all else as in `bfloat16`. In `bfloat16` the upper layers of the model of evidence are in int8. Vectors then differ from float32's by a cosine below 0.0001, and an archive may be encoded in any", "`bfloat16` with `openvino` on a processor that multiplies it, and on `cuda`; else `float32`")
    api_keys: Path | None = declare(None, "file of the [keys](api.md) of its clients, as `rostrum key` writes it", "none: the service listens on loopback only, and asks for no key")
    api_concurrency: Count = declare(
        8, "requests the [HTTP service](api.md) works on at once; one more is answered 429"
    )
    api_requests_per_minute: Number = declare(1200, "requests of one client, by its key or its address, within a minute; one more is answered 429. 0 is no limit")
    api_origins: Origins = declare((), "origins, separated by commas, whose web pages may use the service from a browser (CORS): `https://desk.example.org`", "none")
    api_trusted_proxies: Networks = declare((), "addresses and networks, separated by commas, of the [proxies](api.md#behind-a-proxy) whose `X-Forwarded-For` is believed: `127.0.0.1, 10.0.0.0/8`", "none")
    api_key: str | None = declare(None, "the key that commands send with `--url`; never shown", secret=True)
    feedback: Path | None = declare(None, "file to which [the page](page.md) appends, as JSON lines, what writers call not useful: the paragraph, with up to 2,000 characters of the draft on each side", "none: nothing of it is kept")
    api_cache_bytes: Number = declare(32 << 20, "how much of its answers the service keeps, to give them again; 0 keeps none")
    # fmt: on

    def __post_init__(self) -> None:
        if self.device == "cuda" and self.engine not in ("torch", "auto"):
            message = f"{PREFIX}ENGINE={self.engine} computes on a CPU: unset it for {PREFIX}DEVICE=cuda"
            raise BadInput(message, field="engine")
        if self.redis_url is not None:
            check_redis(self.redis_url)


def check_redis(url: str) -> None:
    """Raise an error unless `url` is the address of a Redis.

    No error message contains the address, because it may contain a password.

    >>> check_redis("redis://127.0.0.1:6379/0")

    Raises:
        BadInput: the scheme is not one of Redis, host or port cannot be parsed, or something other than the
            number of a database follows.
    """
    if not url.startswith(REDIS_SCHEMES):
        raise BadInput(f"{PREFIX}REDIS_URL must begin with redis:// or rediss://", field="redis_url")
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  read to be checked
    except ValueError:
        message = f"{PREFIX}REDIS_URL has a host or a port that cannot be read"
        raise BadInput(message, field="redis_url") from None
    if "?" in url or "#" in url or not DATABASE.fullmatch(parts.path):
        message = "must end with the host or a database, like /0; in a password ? is %3F, and # is %23"
        raise BadInput(f"{PREFIX}REDIS_URL {message}", field="redis_url")


def split_origins(text: str) -> tuple[str, ...]:
    """Split a list of web origins at commas.

    >>> split_origins("https://a.example, http://localhost:3000")
    ('https://a.example', 'http://localhost:3000')

    Raises:
        ValueError: an item is not a scheme with a host and optionally a port.
    """
    origins = tuple(origin.strip() for origin in text.split(","))
    for origin in origins:
        if not ORIGIN.fullmatch(origin):
            raise ValueError(f"{origin!r} is no origin like https://example.org")
    return origins


def split_networks(text: str) -> tuple[str, ...]:
    """Split addresses and networks at commas.

    >>> split_networks("127.0.0.1, 10.0.0.0/8")
    ('127.0.0.1', '10.0.0.0/8')

    Raises:
        ValueError: an item is neither an address nor a network.
    """
    networks = tuple(network.strip() for network in text.split(","))
    for network in networks:
        ip_network(network, strict=False)
    return networks


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read the settings from the `ROSTRUM_*` variables of `environment`, and nowhere else.

    >>> read_settings({"ROSTRUM_ARCHIVE": "speeches", "ROSTRUM_CANDIDATES": "20"}).candidates
    20
    >>> read_settings({"XDG_DATA_HOME": "/elsewhere"}).archive.as_posix()
    '/elsewhere/rostrum/archive'

    Raises:
        BadInput: a variable with the prefix is unknown, its value is empty or invalid, or there is no home
            folder and no variable that names another one.
    """
    names = {PREFIX + declared.name.upper(): declared.name for declared in fields(Settings)}
    values: dict[str, Any] = {}
    for variable in sorted(name for name in environment if name.startswith(PREFIX)):
        if variable not in names:
            raise BadInput(f"{variable} is not a setting; there are {', '.join(sorted(names))}")
        values[names[variable]] = _read(variable, names[variable], environment[variable])
    if "data" not in values:
        home = _find_data_home(environment)
        if home is None and "archive" not in values:
            raise BadInput(f"the user has no home folder: set {ARCHIVE}", field="archive")
        values["data"] = (home or Path()) / "rostrum"
    values.setdefault("archive", values["data"] / "archive")
    return Settings(**values)


def _read(variable: str, name: str, text: str) -> object:
    if not text:
        raise BadInput(f"{variable} is empty: give it a value, or unset it", field=name)
    kind = TYPES[name]
    try:
        if kind in (Path, Path | None):
            return Path(text)
        if kind == Origins:
            return split_origins(text)
        if kind == Networks:
            return split_networks(text)
        value: object = msgspec.convert(text, kind, strict=False)
        if isinstance(value, float) and math.isnan(value):
            raise ValueError("it is not a number")
    except ValueError as error:
        choices = list(_list_choices(kind))
        message = f" must be one of {', '.join(choices)}" if choices else f": {error}"
        raise BadInput(variable + message, field=name) from error
    return value


def _list_choices(kind: Any) -> Iterator[str]:
    for part in (kind, *get_args(kind)):
        if get_origin(part) is Literal:
            yield from get_args(part)


def _find_data_home(environment: Mapping[str, str]) -> Path | None:
    """Return the folder of the user's data; `None` if the user has no home folder.

    An empty or relative `XDG_DATA_HOME` is ignored.
    Source: https://specifications.freedesktop.org/basedir-spec/latest/
    """
    if os.path.isabs(named := environment.get("XDG_DATA_HOME", "")):
        return Path(named)
    try:
        home = environment.get("HOME") or pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:  # a container's user has no entry
        return None
    return Path(home) / ".local" / "share"


TYPES = get_type_hints(Settings, include_extras=True)
