"""Prepare training data for the evidence model as token ids: claims with supporting sentences, and texts with
stances.

Sets: `debater` (claims and evidence of encyclopaedia articles, split by topic), `scifact` (claims and
abstracts, split by claim), `motions` (motions and single sentences) and `citations` (five sentences ranked by
a model; used for training only). Stances come from SciFact and Citation Integrity, and from statements that
were changed to contradict the original.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from quotations.text.sentences import split_sentences
from reranker.models.evidence import STANCES
from reranker.models.wordpieces import PARAGRAPH_TOKENS, Ids, WordPieces
from training.job_data import CLAIM_SETS, SPLITS, STANCE_SETS, read_rows
from training.negation import change_text
from training.token_rows import TokenRows, save_arrays

CITATION = re.compile(r"\[[^\]]*cit[^\]]*\]|\[REF\]")
SENTENCE_TOKENS = 120
TRAIN_CHUNKS = 24  # of a document used for training only, those with evidence first


def strip_marks(text: str) -> str:
    """Return `text` without marks of citations, such as "[REF]" or "[citation needed]", and without repeated
    blanks.
    """
    return " ".join(CITATION.sub(" ", text).split())


class Arrays:
    """Collect the token ids of claims, of chunks of documents and of texts with stances; write one file."""

    def __init__(self, pieces: WordPieces, seed: int) -> None:
        self.pieces, self.chance = pieces, random.Random(seed)
        self.chunks: list[Ids] = []
        self.chunk_document: list[int] = []
        self.sentence: list[tuple[int, int, int]] = []  # chunk, start, end
        self.claims: list[Ids] = []
        self.claim_rows: list[tuple[int, int, int]] = []  # document, set, split
        self.positive: list[tuple[int, int]] = []  # claim, sentence
        self.documents = 0
        self.stance_texts: list[Ids] = []
        self.stance_claims: list[Ids] = []
        self.stance_labels: list[tuple[int, int, int]] = []  # label, set, split

    def add_document(
        self, texts: Sequence[str], breaks: set[int] | None = None, keep: set[int] | None = None
    ) -> dict[int, int]:
        """Add a document: pack its sentences into chunks of at most 200 tokens.

        `texts` are the sentences; `breaks` and `keep` are indices of `texts`. A new chunk begins at each
        sentence in `breaks`. If `keep` is set, at most `TRAIN_CHUNKS` chunks are kept, first those with
        sentences in `keep`.

        The result maps the index of each kept sentence to its index in `sentence`, the list of the sentences
        of all documents.
        """
        ids = [entry.ids[:SENTENCE_TOKENS] for entry in self.pieces.tokenise(list(texts))]
        groups: list[list[int]] = []
        length = 0
        for at, text in enumerate(ids):
            if not len(text):
                continue
            if not groups or at in (breaks or ()) or length + len(text) > PARAGRAPH_TOKENS:
                groups.append([])
                length = 0
            groups[-1].append(at)
            length += len(text)
        if keep is not None and len(groups) > TRAIN_CHUNKS:
            self.chance.shuffle(groups)
            groups.sort(key=lambda group: not keep.intersection(group))
            groups = groups[:TRAIN_CHUNKS]
        numbers = {}
        for group in groups:
            start = 0
            for at in group:
                numbers[at] = len(self.sentence)
                self.sentence.append((len(self.chunks), start, start + len(ids[at])))
                start += len(ids[at])
            self.chunks.append(np.concatenate([ids[at] for at in group]))
            self.chunk_document.append(self.documents)
        self.documents += 1
        return numbers

    def add_claim(
        self, claim: str, kind: str, split: str, document: int, positive: Sequence[int], title: str = ""
    ) -> None:
        """Add a claim about a document, unless no sentence of the document supports it.

        `positive` has the numbers of the supporting sentences, as `add_document` returns them.
        """
        if not positive:
            return
        self.positive += [(len(self.claims), number) for number in sorted(set(positive))]
        self.claims.append(self.pieces.tokenise_query(title, claim))
        self.claim_rows.append((document, CLAIM_SETS.index(kind), SPLITS.index(split)))

    def add_stance(self, claim: str, text: str, stance: str, kind: str, split: str) -> None:
        """Add a text to a claim, with its stance: "supports", "contradicts" or "neutral"."""
        self.stance_claims.append(self.pieces.tokenise_query("", claim))
        self.stance_texts.append(self.pieces.tokenise([text])[0].ids[:PARAGRAPH_TOKENS])
        self.stance_labels.append((STANCES.index(stance), STANCE_SETS.index(kind), SPLITS.index(split)))

    def save(self, out: Path) -> None:
        """Write the collected documents, claims and stances to the file `out`."""
        texts = {
            "chunks": TokenRows.of(self.chunks),
            "claims": TokenRows.of(self.claims),
            "stance.texts": TokenRows.of(self.stance_texts),
            "stance.claims": TokenRows.of(self.stance_claims),
        }
        arrays = {
            "chunk_document": np.array(self.chunk_document, np.int32),
            "sentence": np.array(self.sentence, np.int32).reshape(-1, 3),
            "claim": np.array(self.claim_rows, np.int32).reshape(-1, 3),
            "positive": np.array(self.positive, np.int32).reshape(-1, 2),
            "stance": np.array(self.stance_labels, np.int32).reshape(-1, 3),
            "special": np.array([self.pieces.cls, self.pieces.sep], np.int32),
        }
        save_arrays(out, texts, arrays)


def cut_splits(names: Sequence[str], seed: int) -> dict[str, str]:
    """Assign names, such as topics, to splits at random: 65 % to train, 12 % to dev, the rest to test."""
    order = sorted(set(names))
    random.Random(seed).shuffle(order)
    edges = round(0.65 * len(order)), round(0.77 * len(order))
    return {name: SPLITS[(at >= edges[0]) + (at >= edges[1])] for at, name in enumerate(order)}


def add_debater(arrays: Arrays, folder: Path, seed: int, limit: int | None) -> set[str]:
    """Add the articles and claims of IBM Debater.

    Return the first 60 characters of each piece of evidence in dev and test, so that `add_motions` can leave
    out the same sentences.
    """
    pairs = read_rows(folder / "debater_pairs.jsonl.gz")
    articles = {row["id"]: row["text"] for row in read_rows(folder / "debater_articles.jsonl.gz")}
    splits = cut_splits([row["topic"] for row in pairs], seed)
    by_article: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in pairs:
        by_article[row["article"]].append(row)
    aside: set[str] = set()
    for article in sorted(by_article)[:limit]:
        texts, breaks, covered = split_article(
            articles[article], [row["evidence"] for row in by_article[article]]
        )
        training = all(splits[row["topic"]] == "train" for row in by_article[article])
        marked = set().union(*covered.values()) if covered else set()
        document = arrays.documents
        numbers = arrays.add_document(texts, breaks, marked if training else None)
        claims: dict[tuple[str, str], set[int]] = defaultdict(set)
        for row in by_article[article]:
            claims[(row["claim"], splits[row["topic"]])] |= covered[row["evidence"]]
            split = splits[row["topic"]]
            if split != "train":
                aside.add(strip_marks(row["evidence"])[:60])
            else:
                add_planted(arrays, strip_marks(row["claim"]), strip_marks(row["evidence"]))
        for (claim, split), places in claims.items():
            arrays.add_claim(
                strip_marks(claim),
                "debater",
                split,
                document,
                [numbers[at] for at in places if at in numbers],
            )
    return aside


def split_article(text: str, evidence: Sequence[str]) -> tuple[list[str], set[int], dict[str, set[int]]]:
    """Split an article into sentences; return (sentences, beginnings, members).

    `beginnings` has the indices of the sentences that begin a paragraph. `members` has, for each piece of
    evidence, the indices of the sentences that the evidence covers.
    """
    spans = split_sentences(text)
    breaks = {at for at in range(1, len(spans)) if "\n" in text[spans[at - 1][1] : spans[at][0]]}
    covered: dict[str, set[int]] = {}
    words = [strip_marks(text[start:end]) for start, end in spans]
    for entry in evidence:
        start = text.find(entry)
        if start >= 0:
            end = start + len(entry)
            covered[entry] = {
                at for at, span in enumerate(spans) if min(end, span[1]) - max(start, span[0]) > 20
            }
        else:
            wanted = strip_marks(entry)
            covered[entry] = {
                at for at, word in enumerate(words) if len(word) > 30 and (word in wanted or wanted in word)
            }
    return words, breaks, covered


def add_planted(arrays: Arrays, claim: str, evidence: str) -> None:
    """Add at random up to four pairs of a claim and `evidence` whose stance is known.

    The evidence supports `claim`, and it supports itself as a claim. It contradicts each of these two claims
    after a few of its words are changed, such as a negation dropped (see `training.negation`).
    """
    if arrays.chance.random() < 0.5:
        arrays.add_stance(claim, evidence, "supports", "planted", "train")
    other = change_text(claim, arrays.chance, ("negation dropped", "negation added", "opposite"))
    if other is not None and arrays.chance.random() < 0.5:
        arrays.add_stance(other[0], evidence, "contradicts", "planted", "train")
    other = change_text(evidence, arrays.chance)
    if arrays.chance.random() < 0.5:
        arrays.add_stance(evidence, evidence, "supports", "planted", "train")
    if other is not None and arrays.chance.random() < 0.7:
        arrays.add_stance(other[0], evidence, "contradicts", "planted", "train")


def add_scifact(arrays: Arrays, folder: Path, seed: int, limit: int | None) -> None:
    """Add the abstracts, claims and stances of SciFact.

    Each claim also gets a neutral text: a random sentence of the cited abstract that is not evidence. If the
    abstract has no evidence at all, the neutral text is two consecutive sentences.
    """
    rows = read_rows(folder / "scifact-claims-train.jsonl.gz")
    documents = {row["id"]: row for row in read_rows(folder / "scifact-documents.jsonl.gz")}
    splits = cut_splits([row["claim"] for row in rows], seed)
    placed: dict[str, tuple[int, dict[int, int]]] = {}
    for row in rows[:limit]:
        split = splits[row["claim"]]
        cited = row["document"] or next((entry for entry in row["cited"] if entry in documents), None)
        if cited is None or cited not in documents:
            continue
        texts = documents[cited]["sentences"]
        if row["label"] is None:
            at = arrays.chance.randrange(max(1, len(texts) - 1))
            arrays.add_stance(row["claim"], " ".join(texts[at : at + 2]), "neutral", "scifact", split)
            continue
        if cited not in placed:
            placed[cited] = arrays.documents, arrays.add_document(texts)
        document, numbers = placed[cited]
        marked = sorted({at for rationale in row["rationales"] for at in rationale})
        arrays.add_claim(
            row["claim"], "scifact", split, document, [numbers[at] for at in marked if at in numbers]
        )
        stance = "supports" if row["label"] == "SUPPORT" else "contradicts"
        for rationale in row["rationales"]:
            arrays.add_stance(row["claim"], " ".join(texts[at] for at in rationale), stance, "scifact", split)
        others = [at for at in range(len(texts)) if at not in marked]
        if others:
            arrays.add_stance(row["claim"], texts[arrays.chance.choice(others)], "neutral", "scifact", split)


def add_citations(arrays: Arrays, folder: Path, limit: int | None) -> None:
    """Add the claims of the data set Citation Integrity, with their stances, which people labelled.

    A claim is a sentence that cites an article. For each claim, a machine ranked five sentences of the cited
    article. In the training split, the best two of these count as evidence.
    """
    rows = read_rows(folder / "citation-integrity-claims.jsonl.gz")
    articles = {
        row["id"]: row["sentences"] for row in read_rows(folder / "citation-integrity-articles.jsonl.gz")
    }
    stances = {"SUPPORT": "supports", "REFUTE": "contradicts", None: "neutral"}
    placed: dict[int, tuple[int, dict[int, int]]] = {}
    for row in rows[:limit]:
        texts, claim = articles[row["article"]], strip_marks(row["claim"])
        best = [texts[at] for at in row["ranked"][:3] if at < len(texts)]
        arrays.add_stance(claim, " ".join(best), stances[row["label"]], "citations", row["split"])
        if row["split"] == "train":
            if row["article"] not in placed:
                placed[row["article"]] = arrays.documents, arrays.add_document(texts)
            document, numbers = placed[row["article"]]
            marked = [numbers[at] for at in row["ranked"][:2] if at in numbers]
            arrays.add_claim(claim, "citations", "train", document, marked)


def add_motions(arrays: Arrays, folder: Path, aside: set[str], limit: int | None) -> None:
    """Add motions (proposals for a debate) as training claims, each with a document of labelled sentences.

    The sentences are unconnected, so each of them is a chunk of its own. Those that are labelled as evidence
    support the motion. A motion is skipped if all its sentences are evidence, or if none is. Only the first
    `limit` motions in alphabetical order are read.

    `aside` is the result of `add_debater`: the first 60 characters of each piece of evidence in dev and test.
    Sentences that begin with such characters are left out, so that training does not see them.
    """
    by_motion: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in read_rows(folder / "ibm-claim-evidence-dev.jsonl.gz"):
        if strip_marks(row["sentence"])[:60] not in aside:
            by_motion[row["claim"]].append(row)
    for motion in sorted(by_motion)[:limit]:
        rows = by_motion[motion]
        if len({row["label"] for row in rows}) < 2:
            continue
        document = arrays.documents
        numbers = arrays.add_document([strip_marks(row["sentence"]) for row in rows], set(range(len(rows))))
        marked = [numbers[at] for at, row in enumerate(rows) if row["label"] and at in numbers]
        arrays.add_claim(motion, "motions", "train", document, marked)


def add_wice(arrays: Arrays, folder: Path, limit: int | None) -> None:
    """Add the claims of WiCE, sentences of an encyclopaedia, for evaluation only.

    Each claim is added twice: alone, and with its article's title and the text before it.
    """
    for row in read_rows(folder / "wice-dev.jsonl.gz")[:limit]:
        marked = sorted({at for group in row["supporting_sentences"] for at in group})
        if not marked:
            continue
        document = arrays.documents
        numbers = arrays.add_document(row["evidence"])
        kept = [numbers[at] for at in marked if at in numbers]
        arrays.add_claim(row["claim"], "wice", "test", document, kept)
        before = f"{row['meta']['claim_context']} {row['claim']}"
        arrays.add_claim(before, "wice with context", "test", document, kept, row["meta"]["claim_title"])


def main() -> None:
    """Prepare the data as the options of the command line say, and write it to the file `--out`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--limit", type=int, help="so many rows of each set at most")
    parser.add_argument("--wice", action="store_true", help="write the set wice alone")
    options = parser.parse_args()
    arrays = Arrays(WordPieces(options.tokenizer), options.seed)
    if options.wice:
        add_wice(arrays, options.data, options.limit)
    else:
        aside = add_debater(arrays, options.data, options.seed, options.limit)
        add_scifact(arrays, options.data, options.seed, options.limit)
        add_citations(arrays, options.data, options.limit)
        add_motions(arrays, options.data, aside, options.limit)
    arrays.save(options.out)


if __name__ == "__main__":
    main()
