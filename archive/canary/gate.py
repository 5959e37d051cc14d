"""Compare the top results of saved drafts before a publication; block it or warn if too many are lost."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from archive.canary.check import compare_safely
from archive.canary.comparison import Comparison
from archive.canary.saved_drafts import CanaryRun, SavedDraft, SavedDrafts
from archive.history import Event, History
from archive.refresh import read_published
from archive.service import Service
from rostrum_core.errors import RostrumError, StoreError, Withheld
from rostrum_core.ports import ParagraphStore
from rostrum_core.settings import Settings
from rostrum_core.types import Generation

LOG = logging.getLogger(__name__)


def has_canary(settings: Settings, store: ParagraphStore) -> bool:
    """Return whether drafts can be compared before a publication.

    This is so if the setting `canary` is not "off", there are saved drafts, and a generation is published and
    not damaged.

    Raises:
        StoreError: the saved drafts or the archive cannot be read.
    """
    is_on = settings.canary != "off" and bool(SavedDrafts(settings.archive).read())
    return is_on and read_published(store, fresh=True) is not None


class CanaryGate:
    """Compare the saved drafts before a publication, and block it if the settings say so.

    `comparison` is the result of the latest comparison; `None` if nothing was compared.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._saved = SavedDrafts(service.settings.archive)
        self.comparison: Comparison | None = None

    def check(self, generation: str, tick: Callable[[], None] = lambda: None, *, force: bool = False) -> None:
        """Compare the saved drafts' top results in a complete generation with those that readers see now.

        If the generation may be published, the new results are recorded. The callback `tick` is called before
        each draft.

        Raises:
            Withheld: the setting `canary` is `block`, `force` is false, and the comparison failed: a draft
                lost too many top results, or the drafts could not be compared.
            NoSuchGeneration: no complete generation has this name.
        """
        comparison, results = compare_safely(self._service, self._service.view(generation), self._saved, tick)
        self.comparison = comparison
        if not comparison.passed:
            LOG.warning("%s", comparison.describe())
            if self._service.settings.canary == "block" and not force:
                raise Withheld(_explain(comparison, generation), generation)
        if results is not None:
            self._record(*results)

    def _record(self, run: CanaryRun, drafts: Sequence[SavedDraft]) -> None:
        if run.degraded:
            return
        try:
            self._saved.keep_run(run, drafts)
        except StoreError as error:  # the next comparison computes what readers see
            LOG.warning("results of saved drafts were not recorded: %s", error)


def publish_generation(
    settings: Settings,
    store: ParagraphStore,
    name: str | None,
    open_service: Callable[[], Service],
    *,
    force: bool = False,
) -> tuple[Generation, Comparison | None]:
    """Publish the complete generation `name`, or roll back to the previous one if `name` is `None`.

    Before a publication, the saved drafts are compared (see `has_canary`), with the service that
    `open_service` returns. A failed comparison may block the publication, unless `force` is true. So may
    saved drafts that cannot be read, or models that cannot be opened. There is no comparison before a
    rollback, because it repairs a bad publication and must work without models. Return the generation that is
    now published, and the comparison, or `None` if nothing was compared.

    Raises:
        NoSuchGeneration, NothingPublished: as `ParagraphStore.rollback`.
        Withheld: as `CanaryGate.check`.
    """
    store = store.writer()
    before, comparison = read_published(store, fresh=True), None
    is_new = before is not None and name is not None and name != before.name
    if is_new and name is not None:
        comparison = _check_drafts(settings, store, name, open_service, force=force)
    shown = store.rollback(name)
    message = comparison.describe() if comparison else ""
    facts = {"previous": before.name if before else None, "rollback": name is None, "forced": force}
    History(settings.archive).append(Event("publication", "published", shown.name, message, facts))
    return shown, comparison


def _check_drafts(
    settings: Settings, store: ParagraphStore, name: str, open_service: Callable[[], Service], *, force: bool
) -> Comparison | None:
    """Compare the saved drafts, as `publish_generation` does before it publishes the generation `name`."""
    try:
        gate = CanaryGate(open_service()) if has_canary(settings, store) else None
    except RostrumError as error:
        comparison = Comparison(None, None, reason=str(error))
        LOG.warning("%s", comparison.describe())
        if settings.canary == "block" and not force:
            raise Withheld(_explain(comparison, name), name) from error
        return comparison
    if gate is None:
        return None
    gate.check(name, force=force)
    return gate.comparison


def _explain(comparison: Comparison, generation: str) -> str:
    publish = f"rostrum generations publish {generation} --force"
    return (
        f"generation {generation} is ready and not published; {comparison.describe()}; "
        f"see `rostrum canary compare {generation}`, and publish it all the same by `{publish}`"
    )
