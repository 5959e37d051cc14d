"""A ranker learns another one's judgement: a student moves towards its teacher."""

import json
import random

import pytest

pytest.importorskip("torch")

from reranker.models.wordpieces import WordPieces
from rostrum_core.errors import BadInput
from rostrum_core.types import Draft
from tests.training.tiny import write_base
from training.encoder import Encoder
from training.groups import GroupData
from training.loop import Plan, run_phase
from training.losses import compute_distillation
from training.manifest import describe_origin
from training.ranker import Ranker, group_loss
from training.recipe import RankerRecipe, Recipe
from training.run import Inputs
from training.teacher import Teacher

DRAFT = Draft("The moon", "Kennedy spoke in Houston of rockets.")
PARAGRAPHS = ["We choose to go to the moon.", "Taxes rise.", "Thank you.", "Space is there to be explored."]


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return write_base(tmp_path_factory.mktemp("tiny") / "base")


@pytest.fixture
def aligned(tmp_path, base):
    quoted = {"paragraph": 0, "last_paragraph": 0, "start": 0, "end": 28}
    pair = {"id": "p", "title": DRAFT.title, "left": DRAFT.left, "document": "d", **quoted}
    speech = {"id": "d", "title": "T", "date": "2019-01-01", "paragraphs": PARAGRAPHS}
    for name, row in (("documents", speech), ("pairs-train", pair), ("pairs-dev", pair)):
        (tmp_path / f"{name}.jsonl.gz").write_text(json.dumps(row) + "\n")
    return GroupData(tmp_path, "train", WordPieces(base / "tokenizer.json"))


def test_a_teacher_scores_as_its_models_rank(models):
    pieces = models.wordpieces
    query = pieces.tokenise_query(DRAFT.title, DRAFT.left)
    ranked = models.ranker.rank(query, PARAGRAPHS, pieces.tokenise(PARAGRAPHS))
    assert Teacher(models)(DRAFT, PARAGRAPHS) == tuple(each.score for each in ranked)


def test_a_group_has_its_teachers_scores_of_the_paragraphs_that_were_drawn(aligned, models):
    teacher = Teacher(models)
    group = aligned.group(aligned.rows[0], 2, random.Random(1), teacher=teacher)
    ids = [aligned.wordpieces.pack(tokens).tobytes() for tokens in aligned.tokens["d"]]
    drawn = [PARAGRAPHS[ids.index(paragraph.tobytes())] for paragraph in group.paragraphs]
    assert group.taught == pytest.approx(teacher(DRAFT, drawn))


def test_a_student_moves_towards_its_teacher(aligned, base, models, tmp_path):
    recipe = RankerRecipe(layers=2, dropout=0.0, teacher_share=0.9, span_weight=0.0)
    group = aligned.group(aligned.rows[0], 3, random.Random(1), teacher=Teacher(models))
    student = Ranker(Encoder(base, 2, aligned.wordpieces.body_start), 2, 0.0)

    def distance():
        import torch

        return compute_distillation(student([group])[0], torch.tensor([group.taught])).item()

    before = distance()
    run_phase("s", student, lambda _: group_loss(student, [group], recipe), Plan(20, 1e-3), tmp_path, print)
    assert distance() < before / 2


def test_a_share_without_a_teacher_and_a_teacher_without_a_share_are_refused(tmp_path):
    taught = Recipe(ranker=RankerRecipe(teacher_share=0.5))
    for recipe, teacher in ((taught, None), (Recipe(), tmp_path)):
        with pytest.raises(BadInput, match="teacher_share go together"):
            Inputs(tmp_path, tmp_path, recipe, "mine", teacher=teacher)


def test_a_run_is_claimed_with_its_teacher(aligned, base, models, tmp_path):
    alone, taught = (describe_origin(base, tmp_path, Recipe(), each) for each in (None, models.manifest))
    assert taught == {**alone, "teacher": models.hashes["ranker"]}
