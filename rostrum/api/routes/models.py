"""`/v1/models` and `/info`: describe the models, in the formats of OpenAI and text-embeddings-inference."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter
from pydantic import BaseModel

from jobs.rerank.job import MOST_PIECES
from rostrum.api.edge.auth import READ
from rostrum.api.routes.dependencies import Assembled, NoParameters

router = APIRouter(tags=["models"], dependencies=[READ, NoParameters])
NAME = "rostrum"


class Model(BaseModel):
    """A set of models with the hashes of its parts, in the format of OpenAI."""

    id: str = NAME
    object: str = "model"
    owned_by: str = NAME
    hashes: dict[str, str]


class ModelList(BaseModel):
    """The models that the service uses, in the format of OpenAI."""

    object: str = "list"
    data: list[Model]


class Info(BaseModel):
    """A description of the ranker, in the format that clients of text-embeddings-inference request."""

    model_id: str = NAME
    model_sha: str
    version: str
    max_input_length: int = MOST_PIECES


@router.get("/v1/models")
def list_models(assembly: Assembled) -> ModelList:
    """List the models, with the hashes of their parts."""
    return ModelList(data=[Model(hashes=dict(assembly.service.models.hashes))])


@router.get("/info")
def get_info(assembly: Assembled) -> Info:
    """Describe the ranker as text-embeddings-inference does."""
    return Info(model_sha=assembly.service.models.hashes["ranker"], version=version("rostrum-quotes"))
