import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from archive.canary import gate
from archive.canary.check import compare_with_published, run_drafts
from archive.canary.comparison import compare_runs
from archive.canary.gate import has_canary, publish_generation
from archive.canary.saved_drafts import CanaryRun, SavedDraft, SavedDrafts, TopResult
from archive.history import History
from archive.index_files import index
from archive.service import Service
from indexer.dead_letters import DeadLetters
from rostrum.assemble import assemble
from rostrum_core.errors import BadInput, ModelError, StoreError, Withheld
from rostrum_core.settings import read_settings
from rostrum_core.types import Draft, Filter

MOON = SavedDraft(
    "moon", Draft("Why a rocket to the moon is worth its price", "The president told the crowd")
)
SPEECHES = {
    "moon": "We choose to go to the moon in this decade, not because it is easy, but because it is hard.",
    "harvest": "The harvest of this year was better than that of the last one, and the farmers know it.",
    "roads": "Roads and bridges are to be mended in every county before the winter comes.",
}


def top(document: str, text: str = "") -> TopResult:
    return TopResult(document, 0, text or document, document, None, text)


def run(*documents: str, generation: str = "1", degraded: tuple[str, ...] = ()) -> CanaryRun:
    return CanaryRun(generation, {}, {"moon": tuple(map(top, documents))}, degraded)


def test_a_draft_that_keeps_three_of_five_results_passes_and_one_that_keeps_two_does_not():
    before = run("a", "b", "c", "d", "e")
    kept = compare_runs([MOON], before, run("c", "a", "x", "b", "y")).changes[0]
    lost = compare_runs([MOON], before, run("c", "a", "x", "z", "y")).changes[0]

    assert (kept.kept, kept.before, kept.is_first_kept, kept.passed) == (3, 5, False, True)
    assert (lost.kept, lost.passed) == (2, False)
    assert [result.document_id for result in kept.added] == ["x", "y"]
    assert [(each.result.document_id, each.rank) for each in kept.lost] == [("d", None), ("e", None)]


def test_a_lost_result_tells_its_rank_or_that_its_speech_was_deleted():
    after = run("x", "y", "z", "u", "v", "a")
    (change,) = compare_runs([MOON], run("a", "b"), after, lambda name: name != "b").changes

    assert [(each.result.document_id, each.rank, each.deleted) for each in change.lost] == [
        ("a", 6, False),
        ("b", None, True),
    ]


def test_an_expected_speech_must_be_among_the_top_results():
    draft = replace(MOON, expect=("f",))
    before, after = run("f", "b", "c", "d", "e"), run("b", "c", "d", "e", "x", "f")

    (change,) = compare_runs([draft], before, after).changes

    assert (change.kept, change.missing, change.passed) == (4, ("f",), False)
    assert compare_runs([draft], before, after).describe() == "saved drafts: 1 of 1 changed: moon (without f)"
    assert compare_runs([draft], before, before).passed


def test_an_expected_speech_that_was_missing_before_keeps_nothing_back():
    draft = replace(MOON, expect=("f",))

    (change,) = compare_runs([draft], run("a", "b"), run("a", "b")).changes

    assert (change.missing, change.passed) == (("f",), True)
    assert not compare_runs([draft], run(), run("a")).passed


def test_results_with_and_without_a_stage_are_not_comparable():
    comparison = compare_runs([MOON], run("a"), run("a", degraded=("dense",)))

    assert not comparison.passed
    assert comparison.describe() == "saved drafts were not compared: stages were skipped: dense"


def test_a_draft_saved_since_has_nothing_to_keep():
    new = SavedDraft("new", Draft("New"))
    (change,) = compare_runs([new], run("a"), CanaryRun("2", {}, {"new": (top("b"),)})).changes

    assert (change.kept, change.before, change.passed) == (0, 0, True)


def test_saved_drafts_come_back_as_they_were_saved(tmp_path: Path):
    saved = SavedDrafts(tmp_path / "archive")
    full = SavedDraft(
        "a", Draft("t", "l", "r", "1962-09-12"), Filter(speakers=("Ann",), since="1962-01-01"), ("x",)
    )
    saved.save(full)
    saved.save(MOON)
    saved.keep_run(run("a", "b"), [MOON])

    again = SavedDrafts(tmp_path / "archive")
    assert again.read() == [full, MOON]
    assert again.read_last_run() == run("a", "b")
    again.save(replace(MOON, expect=("moon",)))
    assert [(draft.name, draft.expect) for draft in saved.read()] == [("a", ("x",)), ("moon", ("moon",))]
    again.remove("a")
    with pytest.raises(BadInput, match="no saved draft 'a'"):
        again.remove("a")
    with pytest.raises(BadInput):
        again.save(replace(MOON, name=" "))


def test_a_draft_with_lone_surrogates_can_be_saved_read_and_removed(tmp_path: Path):
    saved = SavedDrafts(tmp_path)
    marked = SavedDraft(
        "caf\udce9",
        Draft("t\ud83d", "we sail \ud83d on", "r\udce9"),
        Filter(speakers=("A\udce9",)),
        ("x\ud83d",),
    )
    saved.save(marked)
    assert saved.read() == [
        SavedDraft(
            "caf\ufffd",
            Draft("t\ufffd", "we sail \ufffd on", "r\ufffd"),
            Filter(speakers=("A\ufffd",)),
            ("x\ufffd",),
        )
    ]
    saved.save(marked)
    assert len(saved.read()) == 1
    saved.remove("caf\udce9")
    assert saved.read() == []


def test_a_draft_keeps_every_other_character(tmp_path: Path):
    draft = SavedDraft("caf\u00e9 \U0001f600", Draft("\u201cQuote\u201d", 'a \\ud83d "b"\n\x7f\u2028'))
    SavedDrafts(tmp_path).save(draft)
    assert SavedDrafts(tmp_path).read() == [draft]


def test_a_damaged_file_of_saved_drafts_is_an_error(tmp_path: Path):
    (tmp_path / "canary.json").write_text('{"drafts": 3}')
    with pytest.raises(StoreError, match=r"canary\.json cannot be read"):
        SavedDrafts(tmp_path).read()


def test_results_of_another_text_or_filter_are_removed(tmp_path: Path):
    saved = SavedDrafts(tmp_path)
    roads = SavedDraft("roads", Draft("Roads"))
    saved.save(MOON)
    saved.save(roads)
    tops = {"moon": (top("a"),), "roads": (top("b"),)}

    def save_and_list(draft: SavedDraft) -> list[str]:
        saved.keep_run(CanaryRun("1", {}, tops), saved.read())
        saved.save(draft)
        return list(saved.read_last_run().tops)

    assert save_and_list(replace(MOON, expect=("a",))) == ["moon", "roads"]
    assert save_and_list(replace(MOON, draft=Draft("The harvest"))) == ["roads"]
    assert save_and_list(replace(MOON, filter=Filter(speakers=("Ann",)))) == ["roads"]
    saved.keep_run(CanaryRun("1", {}, tops), saved.read())
    saved.remove("roads")
    assert list(saved.read_last_run().tops) == ["moon"]


def test_results_of_a_draft_that_changes_during_the_run_are_not_recorded(tmp_path: Path):
    saved = SavedDrafts(tmp_path)
    changed, removed, expecting = (
        SavedDraft(name, Draft(name)) for name in ("changed", "removed", "expecting")
    )
    ran = [MOON, changed, removed, expecting]
    for draft in ran:
        saved.save(draft)
    saved.save(replace(changed, filter=Filter(speakers=("Ann",))))
    saved.remove("removed")
    saved.save(replace(expecting, expect=("a",)))

    saved.keep_run(CanaryRun("1", {}, {draft.name: (top("a"),) for draft in ran}), ran)

    assert list(saved.read_last_run().tops) == ["moon", "expecting"]


@pytest.mark.usefixtures("models")
def test_a_draft_that_is_replaced_while_it_runs_keeps_no_results_of_its_old_text(
    service, sources, monkeypatch
):
    saved = SavedDrafts(service.settings.archive)
    saved.save(MOON)
    (sources / "new.txt").write_text("A new speech about bridges.\n")
    compare = gate.compare_safely

    def compare_and_replace(*arguments):
        results = compare(*arguments)
        saved.save(replace(MOON, draft=Draft("The harvest")))
        return results

    monkeypatch.setattr(gate, "compare_safely", compare_and_replace)
    index_all(service, sources)

    assert saved.read_last_run().tops == {}


def test_drafts_that_are_saved_at_the_same_time_are_all_kept(tmp_path: Path):
    names = [f"draft {number:02}" for number in range(20)]
    with ThreadPoolExecutor(20) as threads:
        list(threads.map(lambda name: SavedDrafts(tmp_path).save(SavedDraft(name, Draft("x"))), names))
        assert [draft.name for draft in SavedDrafts(tmp_path).read()] == names
        list(threads.map(lambda name: SavedDrafts(tmp_path).remove(name), names[1:]))
    assert [draft.name for draft in SavedDrafts(tmp_path).read()] == names[:1]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "speeches"
    folder.mkdir()
    for name, text in SPEECHES.items():
        (folder / f"{name}.txt").write_text(f"{text}\n")
    return folder


@pytest.fixture
def service(tmp_path: Path, sources: Path) -> Service:
    service = assemble(replace(read_settings({}), archive=tmp_path / "archive", canary="block"))
    index_all(service, sources)
    return service


def index_all(service: Service, sources: Path, *, mirror: bool = False):
    from archive.refresh import RefreshOptions

    letters = DeadLetters(service.settings.archive / "dead-letters.jsonl")
    return index(service, [sources], letters, options=RefreshOptions(mirror=mirror))


def publish_by_hand(service: Service, name: str | None, *, force: bool = False):
    return publish_generation(service.settings, service.store, name, lambda: service, force=force)


def ids(service: Service) -> list[str]:
    return [info.id for info in service.store.documents()]


@pytest.fixture
def emptied(sources: Path) -> Path:
    """The sources after most speeches were lost, and others took their place."""
    for name in SPEECHES:
        (sources / f"{name}.txt").unlink()
    (sources / "other.txt").write_text("A wholly different speech about the price of bread in the towns.\n")
    return sources


@pytest.mark.usefixtures("models")
def test_a_generation_that_loses_the_results_is_kept_back_until_an_operator_publishes_it(service, emptied):
    published = service.store.published().name
    SavedDrafts(service.settings.archive).save(replace(MOON, expect=("moon",)))

    with pytest.raises(Withheld, match="moon") as withheld:
        index_all(service, emptied, mirror=True)

    assert withheld.value.generation != published == service.store.published().name
    assert len(ids(service)) == 3
    (event, *_) = History(service.settings.archive).read()
    assert (event.kind, event.outcome, event.generation) == ("refresh", "withheld", withheld.value.generation)
    with pytest.raises(Withheld):
        publish_by_hand(service, withheld.value.generation)
    shown, comparison = publish_by_hand(service, withheld.value.generation, force=True)
    assert (shown.name, len(ids(service))) == (withheld.value.generation, 1)
    assert not comparison.passed


@pytest.mark.usefixtures("models")
def test_a_generation_is_published_where_the_drafts_cannot_be_compared_unless_that_blocks(service, emptied):
    first = service.store.published().name
    index_all(service, emptied, mirror=True)
    second, settings = service.store.published().name, service.settings
    SavedDrafts(settings.archive).save(MOON)

    def fail() -> Service:
        raise ModelError("fusion.json is not as it was published")

    reason = "saved drafts were not compared: fusion.json is not as it was published"
    with pytest.raises(Withheld, match=reason):
        publish_generation(settings, service.store, first, fail)
    assert service.store.published().name == second
    shown, comparison = publish_generation(settings, service.store, first, fail, force=True)
    assert (shown.name, comparison.describe()) == (first, reason)
    warning = replace(settings, canary="warn")
    shown, comparison = publish_generation(warning, service.store, second, fail)
    assert (shown.name, comparison.describe()) == (second, reason)

    (settings.archive / "canary.json").write_text("{")
    with pytest.raises(Withheld, match=r"not compared: .*canary\.json cannot be read"):
        publish_generation(settings, service.store, first, lambda: service)
    assert publish_by_hand(service, first, force=True)[0].name == first


@pytest.mark.usefixtures("models")
def test_with_warn_the_generation_is_published_and_the_report_says_so(service, emptied):
    SavedDrafts(service.settings.archive).save(MOON)
    warned = Service(replace(service.settings, canary="warn"), service.store, service.runner, service.models)

    report = index_all(warned, emptied, mirror=True)

    assert report.generation == service.store.published().name
    assert report.canary == "saved drafts: 1 of 1 changed: moon (keeps 0 of 3)"


@pytest.mark.usefixtures("models")
def test_a_generation_that_keeps_the_results_is_published_and_they_are_recorded(service, sources):
    saved = SavedDrafts(service.settings.archive)
    saved.save(replace(MOON, expect=("moon",)))
    (sources / "new.txt").write_text("A new speech about bridges.\n")

    report = index_all(service, sources)

    assert report.canary == "saved drafts: 1 compared, all keep their top results"
    recorded = saved.read_last_run()
    assert recorded.generation == report.generation == service.store.published().name
    assert recorded == run_drafts(service, saved.read())
    comparison, _ = compare_with_published(service, service, saved)
    assert comparison.passed
    assert comparison.changes[0].is_first_kept


@pytest.mark.usefixtures("models")
def test_a_draft_saved_with_another_text_is_compared_with_the_results_of_that_text(service, sources):
    saved = SavedDrafts(service.settings.archive)
    saved.save(replace(MOON, filter=Filter(documents=("moon",))))
    (sources / "new.txt").write_text("A new speech about bridges.\n")
    index_all(service, sources)
    assert list(saved.read_last_run().tops) == ["moon"]

    saved.save(replace(MOON, filter=Filter(documents=("harvest",))))
    comparison, _ = compare_with_published(service, service, saved)

    assert comparison.passed
    assert [(change.kept, change.before) for change in comparison.changes] == [(1, 1)]


@pytest.mark.usefixtures("models")
def test_a_draft_that_the_service_rejects_has_no_results_and_the_others_are_compared(service, sources):
    saved = SavedDrafts(service.settings.archive)
    for draft in (
        MOON,
        SavedDraft("empty", Draft(right="and so on")),
        SavedDraft("nobody", MOON.draft, Filter(speakers=("Nobody",))),
    ):
        saved.save(draft)
    (sources / "new.txt").write_text("A new speech about bridges.\n")

    report = index_all(service, sources)

    assert report.canary == "saved drafts: 3 compared, all keep their top results"
    counts = {name: len(results) for name, results in saved.read_last_run().tops.items()}
    assert counts == {"empty": 0, "moon": 4, "nobody": 0}


@pytest.mark.usefixtures("models")
def test_nothing_is_compared_without_saved_drafts_or_where_it_is_off(service):
    settings, store = service.settings, service.store
    assert not has_canary(settings, store)
    SavedDrafts(settings.archive).save(MOON)
    assert has_canary(settings, store)
    assert not has_canary(replace(settings, canary="off"), store)


@pytest.mark.usefixtures("models")
def test_a_damaged_publication_is_compared_with_nothing(service):
    SavedDrafts(service.settings.archive).save(MOON)
    name = service.store.published().name
    (Path(service.settings.archive) / "generations" / name / "generation.json").write_text("{")
    assert not has_canary(service.settings, service.store)


@pytest.mark.usefixtures("models")
def test_deletions_are_kept_in_the_history(service):
    generation = service.withdraw(["moon", "roads"])

    (event, *_) = History(service.settings.archive).read()
    assert (event.kind, event.generation, event.message) == ("deletion", generation, "moon, roads")
    assert event.facts["deleted"] == 2


def test_the_history_is_read_newest_first_and_passes_over_broken_lines(tmp_path: Path):
    from archive.history import Event

    history = History(tmp_path)
    history.append(Event("refresh", "published", "000001"))
    with history.path.open("a") as file:
        file.write("{broken\n" + json.dumps({"kind": "x", "unknown": 1}) + "\n")
    history.append(Event("publication", "published", "000002", "by hand"))

    assert [(event.generation, event.message) for event in History(tmp_path).read()] == [
        ("000002", "by hand"),
        ("000001", ""),
    ]
    assert [event.generation for event in history.read(1)] == ["000002"]


def test_a_history_that_cannot_be_written_stops_nothing(tmp_path: Path):
    from archive.history import Event

    (tmp_path / "file").write_text("")
    History(tmp_path / "file").append(Event("refresh", "published"))
    assert History(tmp_path / "file").read() == []
