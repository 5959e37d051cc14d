"""`/v1/search`: the first stage, a page at a time."""

from .conftest import MOON


def ids(answer) -> list[str]:
    return [each["paragraph"]["id"] for each in answer.json()["recommendations"]]


def test_pages_fit_together_and_ranks_go_on(client) -> None:
    whole = client.post("/v1/search", json={**MOON, "limit": 12})
    pages = [client.post("/v1/search", json={**MOON, "limit": 4, "offset": n}) for n in (0, 4, 8)]
    assert [name for page in pages for name in ids(page)] == ids(whole)
    assert [each["rank"] for each in pages[1].json()["recommendations"]] == [5, 6, 7, 8]


def test_the_first_stage_answers_without_the_ranker_and_is_not_degraded(client) -> None:
    answer = client.post("/v1/search", json=MOON).json()
    assert answer["degraded"] == []
    assert "rank" not in answer["timings_s"]
    scores = [each["scores"] for each in answer["recommendations"]]
    assert [each["first_stage"] for each in scores] == sorted(
        (s["first_stage"] for s in scores), reverse=True
    )
    assert all(each["model"] is None and each["final"] is None for each in scores)
    assert all(each["dense"] is not None for each in scores[:3])


def test_the_day_of_the_draft_may_stand_in_the_address(client) -> None:
    asked = {"q": MOON["left"], "written_on": "1962-09-12"}
    by_address, posted = (
        client.get("/v1/search", params=asked).json(),
        client.post("/v1/search", json={"left": MOON["left"], "written_on": "1962-09-12"}).json(),
    )
    assert by_address["recommendations"] == posted["recommendations"]
    assert 0.0 in [each["scores"]["recency"] for each in posted["recommendations"]]  # held on that very day


def test_pages_end_where_the_candidates_do(client) -> None:
    asked = {**MOON, "candidates": 5, "limit": 4, "offset": 4}
    assert len(ids(client.post("/v1/search", json=asked))) == 1
    assert ids(client.post("/v1/search", json={**asked, "offset": 5})) == []


def test_pages_do_not_end_where_the_ranker_would_stop_reading(client, service) -> None:
    offset = service.settings.candidates
    asked = {"q": MOON["left"], "limit": 5, "offset": offset}
    found = client.get("/v1/search", params=asked)
    assert [each["rank"] for each in found.json()["recommendations"]] == [*range(offset + 1, offset + 6)]


def test_an_address_finds_what_the_same_post_finds(client) -> None:
    asked = {"q": MOON["left"], "speaker": ["John F. Kennedy", "Ronald Reagan"], "since": "1961", "limit": 5}
    posted = {
        "left": MOON["left"],
        "filter": {"speakers": asked["speaker"], "since": "1961"},
        "limit": 5,
    }
    found = ids(client.get("/v1/search", params=asked))
    assert len(found) == 5
    assert found == ids(client.post("/v1/search", json=posted))


def test_an_unknown_parameter_of_an_address_is_refused(client) -> None:
    answer = client.get("/v1/search", params={"q": "moon", "limt": 3})
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "limt")
    assert client.get("/v1/search").json()["error"]["field"] == "q"


def test_a_fault_of_an_address_has_the_name_of_its_parameter(client) -> None:
    for asked, field in (
        ({"since": "1962-13"}, "since"),
        ({"speaker": " "}, "speaker"),
        ({"since": "2020", "until": "1999"}, "since"),
        ({"document": "none"}, "document"),
        ({"q": " "}, "q"),
    ):
        answer = client.get("/v1/search", params={"q": "moon", **asked})
        assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)


def test_every_search_by_address_names_the_parameter_that_is_wrong(client) -> None:
    for asked, field in (
        ({"speaker": " "}, "speaker"),
        ({"collection": ""}, "collection"),
        ({"language": ""}, "language"),
        ({"document": ""}, "document"),
        ({"since": "1962-13"}, "since"),
        ({"until": "1962-13"}, "until"),
    ):
        for path, words in (
            ("/v1/search", {"q": "moon"}),
            ("/v1/search/words", {"q": "moon"}),
            ("/v1/facets", {}),
        ):
            answer = client.get(path, params={**words, **asked})
            assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)
    for asked, field in (({"speaker": "Kenedy"}, "speaker"), ({"document": "none"}, "document")):
        answer = client.get("/v1/search/words", params={"q": "moon", **asked})
        assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)


def test_a_draft_and_a_filter_are_read_in_the_characters_of_the_archive(client) -> None:
    plain = ids(client.post("/v1/search", json=said_of("Café society and the president", "John F. Kennedy")))
    left, speaker = "Cafe\u0301 soci\u00adety and the\u00a0president", "John\u00a0F. Kennedy"
    assert ids(client.post("/v1/search", json=said_of(left, speaker))) == plain != []


def said_of(left: str, speaker: str) -> dict[str, object]:
    return {"left": left, "filter": {"speakers": [speaker]}}


def test_pages_of_any_size_hold_every_candidate_once(client) -> None:
    asked = {**MOON, "candidates": 30}
    whole = ids(client.post("/v1/search", json={**asked, "limit": 1000}))
    assert len(set(whole)) == 30
    for size in (1, 7, 30):
        pages = (
            client.post("/v1/search", json={**asked, "limit": size, "offset": at})
            for at in range(0, 30, size)
        )
        assert [name for page in pages for name in ids(page)] == whole


def test_words_are_searched_with_highlights_facets_and_in_the_order_of_days(client) -> None:
    answer = client.get("/v1/search/words", params={"q": "choose moon", "sort": "oldest", "limit": 3})
    page = answer.json()
    assert (answer.status_code, page["matching"], page["unknown"]) == (200, "all", [])
    hit = next(hit for hit in page["hits"] if hit["document"]["id"] == "1962-09-12-address-space-effort")
    text = hit["paragraph"]["text"]
    marked = {text[start:end].lower() for start, end in hit["ranges"]}
    assert marked <= {"choose", "moon", "chose", "chosen"}
    assert {"choose", "moon"} <= marked
    days = [hit["document"]["spoken_on"] for hit in page["hits"]]
    assert days == sorted(days)
    assert sum(facet["paragraphs"] for facet in page["facets"]["years"]) == page["total"]


def test_a_search_for_words_narrows_by_speaker_and_says_what_it_does_not_know(client) -> None:
    some = client.get("/v1/search/words", params={"q": "moon", "speaker": "John F. Kennedy"}).json()
    assert {hit["document"]["speaker"] for hit in some["hits"]} == {"John F. Kennedy"}
    none = client.get("/v1/search/words", params={"q": "Getysburg"}).json()
    assert (none["matching"], none["unknown"][0]["word"]) == ("nearest", "Getysburg")
    assert "Gettysburg" in none["unknown"][0]["suggestions"]
    empty = client.get("/v1/search/words", params={"q": "..."})
    assert (empty.status_code, empty.json()["error"]["field"]) == (422, "q")
    nobody = client.get("/v1/search/words", params={"q": "moon", "speaker": "Kenedy"}).json()
    assert "did you mean" in nobody["error"]["message"]
