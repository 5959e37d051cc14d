"""Change the cluster settings that allow calls to our route: read, extend and restore them.

OpenSearch calls an address only if its list of trusted addresses matches it, and a private address only if a
setting allows that. Setting the list replaces its default, so we set the previous list plus one pattern.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from opensearch.server import Server
from rostrum_core.errors import StoreError

TRUSTED = "plugins.ml_commons.trusted_connector_endpoints_regex"
PRIVATE = "plugins.ml_commons.connector.private_ip_enabled"
FACTORIES = "cluster.search.enabled_system_generated_factories"
HIGHLIGHTER = "semantic-highlighter"
"""Processor factory that lets the highlighter send all hits in one request."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Hold a setting of the cluster: its effective value, and the value that an operator set in `scope`.

    `None` means the default. A scope is "persistent" or "transient".
    """

    value: Any
    value_written: Any
    scope: str


@dataclass(frozen=True, slots=True)
class Change:
    """Hold the new value of a cluster setting (`None` for its default), and the reason for the change."""

    name: str
    scope: str
    value: Any
    why: str


def read(server: Server) -> dict[str, Setting]:
    """Return the three settings of the cluster that this module changes, by name, as they are now.

    Raises:
        StoreError: the cluster cannot be reached, or does not have these settings, because it has no ml
            plugin.
    """
    settings = server.call("GET", "/_cluster/settings", include_defaults="true", flat_settings="true")
    return {name: _read_setting(name, settings) for name in (TRUSTED, PRIVATE, FACTORIES)}


def list_needed(
    now: Mapping[str, Setting], pattern: str, *, private: bool, highlights: bool = False
) -> list[Change]:
    """Return the changes to the settings `now` that allow the cluster to call an address that the pattern
    matches.

    With `private`, also allow addresses in private networks. With `highlights`, also allow the cluster's
    semantic highlighter to send all hits in one request.
    """
    changes = []
    if pattern not in (trusted := now[TRUSTED]).value:
        why = f"trusts {pattern} too"
        changes.append(Change(TRUSTED, trusted.scope, [*trusted.value, pattern], why))
    if private and now[PRIVATE].value != "true":
        changes.append(Change(PRIVATE, now[PRIVATE].scope, "true", "lets connectors ask private addresses"))
    if highlights and not {HIGHLIGHTER, "*"} & {*(factories := now[FACTORIES]).value}:
        why = "highlights all hits in one request"
        changes.append(Change(FACTORIES, factories.scope, [*factories.value, HIGHLIGHTER], why))
    return changes


def put_back(
    now: Mapping[str, Setting],
    before: Mapping[str, Setting],
    pattern: str | None,
    *,
    last: bool,
    last_highlighter: bool = False,
) -> list[Change]:
    """Return the changes that restore the settings `now` when one of Rostrum's installations is removed.

    `before` has the settings from before the first installation. Changes that others made since then are
    kept. The address pattern of the installation, `pattern`, is no longer trusted, unless `before` has it.
    If the installation is the `last`, private addresses are forbidden again if they were forbidden before.
    If it is the `last_highlighter`, the processor factory of the semantic highlighter is disabled.
    """
    changes, trusted, was = [], now[TRUSTED], before[TRUSTED]
    if pattern in trusted.value and pattern not in was.value:
        left = [address for address in trusted.value if address != pattern]
        default = last and was.value_written is None and left == was.value
        changes.append(Change(TRUSTED, trusted.scope, None if default else left, "as it was"))
    if last and before[PRIVATE].value != "true" and now[PRIVATE].value == "true":
        changes.append(Change(PRIVATE, now[PRIVATE].scope, before[PRIVATE].value_written, "as it was"))
    return changes + (_drop_factory(now, before) if last_highlighter else [])


def _drop_factory(now: Mapping[str, Setting], before: Mapping[str, Setting]) -> list[Change]:
    """Return the change that takes the semantic highlighter off the list of enabled processor factories.

    The result is empty if the highlighter is not on the list now, or was on it before the first installation.
    """
    factories = now[FACTORIES]
    was = before.get(FACTORIES, Setting([], None, factories.scope))  # an older installation did not keep it
    if HIGHLIGHTER not in factories.value or HIGHLIGHTER in was.value:
        return []
    left = [name for name in factories.value if name != HIGHLIGHTER]
    return [Change(FACTORIES, factories.scope, left or was.value_written, "as it was")]


def invert_changes(changes: Sequence[Change], before: Mapping[str, Setting]) -> list[Change]:
    """Return the changes that undo `changes`; `before` has the settings as they were before these."""
    return [
        Change(change.name, change.scope, before[change.name].value_written, "as it was")
        for change in changes
    ]


def apply(server: Server, changes: Sequence[Change]) -> None:
    """Apply all changes to the cluster's settings, in one request."""
    body: dict[str, dict[str, Any]] = {}
    for change in changes:
        body.setdefault(change.scope, {})[change.name] = change.value
    if body:
        server.call("PUT", "/_cluster/settings", body)


def serialise_settings(settings: Mapping[str, Setting]) -> str:
    """Convert settings to JSON, to store them in the connector; `parse_settings` converts them back."""
    return json.dumps(
        {name: [setting.value, setting.value_written, setting.scope] for name, setting in settings.items()}
    )


def parse_settings(text: str) -> dict[str, Setting]:
    """Convert the JSON that `serialise_settings` returned back to settings."""
    return {name: Setting(*fields) for name, fields in json.loads(text).items()}


def _read_setting(name: str, answer: Mapping[str, Mapping[str, Any]]) -> Setting:
    for scope in ("transient", "persistent"):
        if name in answer[scope]:
            raw = answer[scope][name]
            return Setting(raw if name == PRIVATE else _split_list(raw), raw, scope)
    if name == FACTORIES:  # its default is not listed everywhere, and is empty
        return Setting(_split_list(answer["defaults"].get(name, [])), None, "persistent")
    if name not in answer["defaults"]:
        raise StoreError(f"OpenSearch knows no setting {name}: it lacks the plugin opensearch-ml")
    return Setting(answer["defaults"][name], None, "persistent")


def _split_list(raw: Any) -> Any:
    """Return the value of a list setting as a list; an operator may have set it as one string with commas."""
    return [part.strip() for part in raw.split(",") if part.strip()] if isinstance(raw, str) else raw
