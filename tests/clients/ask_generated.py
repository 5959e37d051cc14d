"""A client that openapi-python-client generates as `rostrum_generated`: address and key are the arguments."""

import io
import json
import sys

from rostrum_generated import AuthenticatedClient
from rostrum_generated.api.documents import add_documents, get_document, list_documents
from rostrum_generated.api.drafts import recommend, search, search_by_address
from rostrum_generated.api.rerank import rerank_v2
from rostrum_generated.models import CohereForm, RecommendForm, SearchForm
from rostrum_generated.types import File

address, key = sys.argv[1:]
client = AuthenticatedClient(address, key, timeout=280)
row = json.dumps({"id": "moon/1", "text": "We choose to go to the moon in this decade."})
added = add_documents.sync(client=client, body=File(io.BytesIO(row.encode())))
recommended = recommend.sync(
    client=client, body=RecommendForm(left="He told the crowd why we go to the moon.")
)
posted = search.sync(client=client, body=SearchForm(left="the moon", limit=2))
searched = search_by_address.sync(client=client, q="the moon", limit=2)
listed = list_documents.sync(client=client, limit=1)
got = get_document.sync("moon/1", client=client)
documents = ["Ask not.", "We choose to go to the moon."]
cohere = rerank_v2.sync(client=client, body=CohereForm(query="the moon", documents=documents))
wrong = recommend.sync(client=client, body=RecommendForm())
assert posted.recommendations == searched.recommendations
answers = {
    "added": added.report.added,
    "recommended": recommended.recommendations[0].document.id,
    "searched": len(searched.recommendations),
    "listed": listed.documents[0].id,
    "got": got.paragraphs[0].text,
    "cohere": cohere.results[0].index,
    "wrong": wrong.error.code,
}
sys.stdout.write(json.dumps(answers) + "\n")
