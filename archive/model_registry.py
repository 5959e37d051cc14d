"""Manage versions of the models; `rostrum models` lists and switches them.

The folder has a subfolder of weights for each version, named after the version. `in-use.json` lists the
versions that were put in use, in order; the last one is current. The version `shipped` is part of the
installation and always exists.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from archive.shipped_files import locate_shipped
from embedded.generations import sync
from reranker.models.files import MANIFEST
from reranker.models.weights import Manifest, read_manifest
from rostrum_core.errors import BadInput, ModelError
from rostrum_core.locks import wait_for_lock
from rostrum_core.settings import MODELS, Settings

IN_USE = "in-use.json"  # names the version in use, in a folder of versions of the models
SHIPPED = "shipped"
LOCK = "switch.lock"
OWN = (IN_USE, f"{IN_USE}.new", LOCK)  # files of the registry, next to the versions' folders
NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,63}", re.ASCII)


def locate_weights(settings: Settings) -> Path:
    """Return the folder of the weights of the models to use.

    If the setting `models` is not set, use the current version in the user's data folder, or else the shipped
    version.

    Raises:
        BadInput: the user's data folder cannot be read, so the version in use is unknown.
        ModelError: the setting names neither weights nor versions, or the version in use is gone.
    """
    models = settings.models or _find_published(settings.data / "models")
    if models is None:
        return locate_shipped("models")
    if (models / IN_USE).exists():
        registry = Registry(models)
        return registry.locate(registry.read_current())
    if (models / MANIFEST).exists():
        return models
    raise ModelError(
        f"{models} has neither weights ({MANIFEST}) nor versions of them ({IN_USE}); "
        f"to keep versions there: rostrum models use {SHIPPED}"
    )


def _find_published(folder: Path) -> Path | None:
    try:
        (folder / IN_USE).stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:  # other models than those that were published would answer
        message = f"{error.filename} cannot be read ({error.strerror}): set {MODELS}"
        raise BadInput(message, field="models") from error
    return folder


class Registry:
    """Manage the versions of the models in a folder, which is created when the first version is added.

    Raises:
        BadInput: the folder holds weights, not versions.
    """

    def __init__(self, folder: Path) -> None:
        if (folder / MANIFEST).exists():
            raise BadInput(f"{folder} holds weights, not versions of them: name another folder")
        self.folder = folder

    @property
    def begun(self) -> bool:
        """Return whether a version was ever put in use in this folder."""
        return (self.folder / IN_USE).exists()

    def list_names(self) -> list[str]:
        """Return the name of every version, the shipped one first."""
        folders = self.folder.iterdir() if self.folder.is_dir() else ()
        return [SHIPPED, *sorted(path.name for path in folders if path.is_dir() and _is_name(path.name))]

    def read_current(self) -> str:
        """Return the name of the version in use."""
        return self._read_used()[-1]

    def locate(self, name: str) -> Path:
        """Return the folder of a version's weights.

        Raises:
            ModelError: there is no version of this name.
        """
        if name == SHIPPED:
            return locate_shipped("models")
        if name not in self.list_names():
            raise ModelError(self._describe_unknown(name))
        return self.folder / name

    def _describe_unknown(self, name: str) -> str:
        return f"{self.folder} has no version {name!r}; there are {', '.join(self.list_names())}"

    def use(self, name: str) -> None:
        """Put a version in use, in one step, after checking its files against its manifest.

        Raises:
            BadInput: there is no version of this name.
            ModelError: the version is damaged.
        """
        if name not in self.list_names():
            raise BadInput(self._describe_unknown(name), field="version")
        read_manifest(self.locate(name))
        with self._lock_switch():
            if (used := self._read_used())[-1] != name:
                self._write([*used, name])

    def rollback(self) -> str:
        """Put the previous version back in use and return its name.

        Raises:
            BadInput: there is no previous version.
            ModelError: that version is gone or damaged.
        """
        self._list_before()  # a refusal must not create the folder
        with self._lock_switch():
            before = self._list_before()
            read_manifest(self.locate(before[-1]))
            self._write(before)
        return before[-1]

    def _list_before(self) -> list[str]:
        *before, now = self._read_used()
        if not before:
            raise BadInput(f"no version was in use before {now!r}")
        return before

    def check_new(self, name: str) -> None:
        """Raise `BadInput` unless a version can be added under this name."""
        if not _is_name(name):
            raise BadInput(
                f"{name!r} cannot name a version: letters, digits, '.', '_' and '-' can", field="name"
            )
        if name in self.list_names():
            message = f"there is a version {name!r} already: publish under another name"
            raise BadInput(f"{message}, or put it in use: rostrum models use {name}", field="name")

    def add(self, weights: Path, name: str, manifest: Mapping[str, Any]) -> None:
        """Copy a folder of weights as version `name`, adding the fields of `manifest` to its manifest.

        Raises:
            BadInput: the name is taken or invalid.
            ModelError: the weights do not match their manifest.
        """
        with self._lock_switch():
            self._add(read_manifest(weights), name, manifest)

    def publish(self, compared: Manifest, name: str, manifest: Mapping[str, Any], over: str) -> None:
        """Copy the weights of the manifest `compared` into a new version `name`, and put it in use.

        `compared` describes the weights at the time when they were compared with the version `over`. They
        must be unchanged since then, and `over` must still be in use. The fields of `manifest` are added to
        the manifest of the new version.

        Raises:
            BadInput: a version other than `over` is in use now, or the name is taken or invalid.
            ModelError: the weights are not those that were compared.
        """
        with self._lock_switch():
            if (now := self.read_current()) != over:
                raise BadInput(f"{now!r} was put in use meanwhile, and is not what was compared")
            self._add(compared, name, manifest)
            self._write([*self._read_used(), name])

    def _add(self, weights: Manifest, name: str, manifest: Mapping[str, Any]) -> None:
        with TemporaryDirectory(prefix=".", dir=self.folder) as begun:
            self.check_new(name)
            part = Path(begun) / name
            part.mkdir()
            for file in weights.files:
                shutil.copyfile(weights.folder / file, part / file)
                sync(part / file)
            whole = {**weights.content, **manifest, "name": name}
            (part / MANIFEST).write_text(json.dumps(whole, indent=2) + "\n", "utf-8")
            sync(part / MANIFEST)
            read_manifest(part)
            part.rename(self.folder / name)

    def _read_used(self) -> list[str]:
        path = self.folder / IN_USE
        if not path.exists():
            return [SHIPPED]
        try:
            used = json.loads(path.read_text("utf-8"))["used"]
            if not used or not all(name == SHIPPED or _is_name(name) for name in used):
                raise ValueError("no names of versions")
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelError(f"{path} cannot be read: {error}") from error
        return list(used)

    def _write(self, used: list[str]) -> None:
        new = self.folder / f"{IN_USE}.new"
        new.write_text(json.dumps({"used": used}, indent=2) + "\n", "utf-8")
        sync(new)
        os.replace(new, self.folder / IN_USE)
        sync(self.folder)

    @contextmanager
    def _lock_switch(self) -> Iterator[None]:
        """Hold the lock for switching versions inside the `with` block.

        Create the folder first if necessary, with the shipped version in use.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with wait_for_lock(self.folder / LOCK):
            if not self.begun:
                self._write([SHIPPED])
            yield


def _is_name(name: str) -> bool:
    return bool(NAME.fullmatch(name)) and name not in (SHIPPED, *OWN)
