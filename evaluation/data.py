"""Prepare a folder of training data, converting a user's own files if necessary.

The training scripts read `documents.jsonl.gz`, `pairs-train.jsonl.gz`, `pairs-dev.jsonl.gz` and, if present,
`news-quotes.jsonl.gz`. They read `pairs-test.jsonl.gz` only to exclude the quotes of the test set from
training. `rostrum align` writes one file of pairs, which is not split into train and dev.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any

from evaluation.metrics import split_words
from evaluation.pairs import NewsQuote, read_news_quotes, read_pairs, read_rows, read_transcripts
from jobs.align.output import write_json_lines
from reranker.signals.recency import DAYS_LATE
from rostrum_core.errors import BadInput

DOCUMENTS, TRAIN, DEV, TEST, NEWS = (
    f"{stem}.jsonl.gz" for stem in ("documents", "pairs-train", "pairs-dev", "pairs-test", "news-quotes")
)
Row = dict[str, Any]

TELLING_WORDS = 6  # this many consecutive words mostly identify one speech


def prepare_folder(folder: Path, dev_share: float, out: Path) -> Path:
    """Return a folder that the training scripts can read.

    Return `folder` if the scripts can read its files. Otherwise, write compressed files and split pairs to
    `out`, which must not exist yet, and return `out`.

    `folder` must hold `documents`, and either the files `pairs-train` and `pairs-dev` or the file `pairs`. It
    may hold `news-quotes` and `pairs-test`. Each name ends in `.jsonl` or `.jsonl.gz`. The file `pairs` is
    split: the pairs of the newest speeches, at least `dev_share` of all pairs, become dev.

    Raises:
        BadInput: if a file is missing, exists twice or has an invalid row; if `pairs` exists next to a
            split; or if one side of the split would be empty.
    """
    split = _find_file(folder, "pairs-train") or _find_file(folder, "pairs-dev")
    if split and _find_file(folder, "pairs"):
        raise BadInput(f"{folder} has pairs and {split.name}: keep one or the other", field="data")
    days = _read_days(folder)
    news = _find_file(folder, "news-quotes")
    test = _find_file(folder, "pairs-test") if news else None
    packed = all((folder / name).exists() for name in (DOCUMENTS, TRAIN, DEV))
    if packed and news in (None, folder / NEWS) and test in (None, folder / TEST):
        return folder
    _copy(_require_file(folder, "documents"), out / DOCUMENTS)
    for path, name in ((news, NEWS), (test, TEST)):
        if path:
            _copy(path, out / name)
    if uncut := _find_file(folder, "pairs"):
        _cut(uncut, out, days, dev_share)
    else:
        _copy(_require_file(folder, "pairs-train"), out / TRAIN)
        _copy(_require_file(folder, "pairs-dev"), out / DEV)
    return out


def check_cut(folder: Path, dev_share: float, trained: int, dev: int) -> None:
    """Check that `prepare_folder` has not put too many of the pairs into the dev set.

    `trained` and `dev` are the numbers of pairs in train and dev. Do nothing if the user has split the
    pairs.

    Raises:
        BadInput: dev is larger than train, and has more than twice the share `dev_share` of all pairs.
    """
    if _find_file(folder, "pairs") and dev > max(trained, 2 * dev_share * (trained + dev)):
        raise BadInput(
            f"{folder}: the newest speeches have so many pairs that dev would have {dev} of {trained + dev}:"
            " cut them yourself, as pairs-train and pairs-dev",
            field="data",
        )


def _read_days(folder: Path) -> dict[str, str]:
    """Return the day of each speech, "" if unknown, and validate all of the user's files.

    The files are read here, before any is copied, so that an error names the user's own file.
    """
    documents = read_transcripts(_require_file(folder, "documents"))
    news = _find_file(folder, "news-quotes")
    for stem in ("pairs", "pairs-train", "pairs-dev", *(["pairs-test"] if news else [])):
        if path := _find_file(folder, stem):
            read_pairs(path, documents, repeated=True)
    if news:
        deque(read_news_quotes(news), maxlen=0)
    return {name: speech.spoken_on or "" for name, speech in documents.items()}


def select_learnable_news(folder: Path) -> list[NewsQuote]:
    """Return the news quotations of a prepared folder from which a model learns no quote of dev or test.

    The others are left out:

    - If an article has a row in dev or test, all its quotations are left out. The article is recognised by
      its id or by the draft.
    - If a quotation shares several consecutive words (`TELLING_WORDS`) with a quote of dev or test, it is
      left out, unless its article was published more than `DAYS_LATE` days before the quoted speech.
    """
    rows = _read_news(folder)
    if not rows:
        return []
    held_out = [row for path in _list_held_out(folder) for row in read_rows(path)]
    articles = {row.get("article") for row in held_out}
    drafts = {(row["title"] or "", row["left"] or "") for row in held_out} - {("", "")}
    articles |= {row.article for row in rows if (row.title, row.left) in drafts}
    quoted = _QuoteIndex(folder)
    return [row for row in rows if row.article not in articles and not quoted.share_phrase(row)]


def _list_held_out(folder: Path) -> list[Path]:
    """Return the files of pairs in a prepared folder that no model is trained on: dev and test."""
    return [folder / name for name in (DEV, TEST) if (folder / name).exists()]


class _QuoteIndex:
    """Index the phrases of all quotes of dev and test, to find news quotations that repeat such a quote.

    A phrase is `TELLING_WORDS` consecutive words. With each phrase, the index has the first day on which an
    article may quote it.
    """

    def __init__(self, folder: Path) -> None:
        documents = read_transcripts(folder / DOCUMENTS)
        self._since: dict[tuple[str, ...], int] = {}  # proleptic ordinals of days; 0 if the day is unknown
        for pair in chain.from_iterable(read_pairs(path, documents) for path in _list_held_out(folder)):
            speech = documents[pair.document]
            spoken = _count_day(speech.spoken_on or "")
            day = 0 if spoken is None else spoken - DAYS_LATE
            for phrase in _list_phrases(pair.join_quoted(speech.paragraphs)):
                self._since[phrase] = min(day, self._since.get(phrase, day))
        self._first = min(self._since.values(), default=0)

    def share_phrase(self, news: NewsQuote) -> bool:
        """Return whether a news quotation shares a phrase (consecutive words) with a quote of dev or test.

        Both may then quote the same speech. Return false if the article of the news quotation was published
        too long before that speech.
        """
        day = _count_day(news.published)
        if day is not None and day < self._first:
            return False
        since = [self._since[phrase] for phrase in _list_phrases(news.quote) if phrase in self._since]
        return bool(since) and (day is None or day >= min(since))


def _count_day(day: str) -> int | None:
    """Return the day of an ISO 8601 date or time, as counted by `date.toordinal`; `None` for other text.

    >>> _count_day("0001-01-02T10:00:00Z"), _count_day("12/05/2020")
    (2, None)
    """
    try:
        return date.fromisoformat(day[:10]).toordinal()
    except ValueError:
        return None


def _list_phrases(text: str) -> Iterator[tuple[str, ...]]:
    said = split_words(text)
    return (tuple(said[i : i + TELLING_WORDS]) for i in range(len(said) - TELLING_WORDS + 1))


def count_shared_articles(folder: Path) -> int:
    """Count the articles that have rows both in train and in dev, in a prepared folder of training data."""
    train, dev = (
        {row["article"] for row in read_rows(folder / name) if row.get("article")} for name in (TRAIN, DEV)
    )
    return len(train & dev)


def count_news_left_out(folder: Path) -> int:
    """Count the news quotations that are left out of training (see `select_learnable_news`).

    From these, a model could learn the quotes of dev or test.
    """
    return len(_read_news(folder)) - len(select_learnable_news(folder))


def _read_news(folder: Path) -> list[NewsQuote]:
    return list(read_news_quotes(folder / NEWS)) if (folder / NEWS).exists() else []


def list_sources(folder: Path) -> list[Path]:
    """Return the files of a prepared folder on which a training depends.

    If there are news quotations, the test pairs are included, because they decide which news quotations are
    left out.
    """
    names = (DOCUMENTS, TRAIN, DEV, NEWS, TEST) if (folder / NEWS).exists() else (DOCUMENTS, TRAIN, DEV)
    return [folder / name for name in names if (folder / name).exists()]


def _find_file(folder: Path, stem: str) -> Path | None:
    paths = [path for path in (folder / f"{stem}.jsonl", folder / f"{stem}.jsonl.gz") if path.exists()]
    if len(paths) > 1:
        raise BadInput(f"{folder} has {paths[0].name} and {paths[1].name}: keep one of them", field="data")
    return paths[0] if paths else None


def _require_file(folder: Path, stem: str) -> Path:
    path = _find_file(folder, stem)
    if path is None:
        raise BadInput(f"{folder} has no {stem}.jsonl or {stem}.jsonl.gz", field="data")
    return path


def _copy(source: Path, target: Path, chosen: Callable[[Row], bool] = lambda row: True) -> int:
    """Write the chosen rows of a file to the compressed file `target`, and return the number of these rows.

    The same rows always give the same bytes.
    """
    count = 0
    with write_json_lines(target) as write:
        for row in filter(chosen, read_rows(source)):
            write(row)
            count += 1
    return count


def _cut(uncut: Path, out: Path, days: dict[str, str], dev_share: float) -> None:
    dev = select_newest_speeches(
        Counter(str(row.get("document")) for row in read_rows(uncut)), days, dev_share
    )
    kept = _copy(uncut, out / DEV, lambda row: str(row.get("document")) in dev)
    rest = _copy(uncut, out / TRAIN, lambda row: str(row.get("document")) not in dev)
    if not (kept and rest):
        raise BadInput(f"{uncut.name}: training and dev need pairs of at least one speech each")


def select_newest_speeches(pairs: Counter[str], days: dict[str, str], share: float) -> set[str]:
    """Return the newest speeches that together have at least the share `share` of all pairs.

    Speeches without a date count as the oldest. `pairs` has the number of pairs for each speech; `days` has
    ISO 8601 dates.

    >>> days = {"old": "1962-09-12", "new": "1963-06-11"}
    >>> select_newest_speeches(Counter(old=8, new=2, undated=5), days, 0.1)
    {'new'}
    """
    kept: set[str] = set()
    for name in sorted(pairs, key=lambda name: (days.get(name, ""), name), reverse=True):
        if sum(pairs[fingerprint] for fingerprint in kept) >= share * pairs.total():
            break
        kept.add(name)
    return kept
