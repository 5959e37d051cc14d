"""XML that is made to harm costs one clear error: no entity is expanded, nothing outside is opened."""

import io
import time

import pytest

from indexer.formats import Source, get_format
from rostrum_core.errors import TranscriptError

TEI = '<TEI xmlns="http://www.tei-c.org/ns/1.0">'


def read(text):
    data = text if isinstance(text, bytes) else text.encode()
    refused = []
    found = get_format("xml").read(Source("a.xml", io.BytesIO(data), "a"), refused.append)
    return [document.text for document, _ in found]


def refusal(text):
    with pytest.raises(TranscriptError) as caught:
        read(text)
    return caught.value.reason


def declaring(entities, inside="<seg>&e;</seg>", attribute=""):
    return f"<!DOCTYPE TEI [{entities}]>{TEI}<text><body><u {attribute}>{inside}</u></body></text></TEI>"


def test_an_entity_bomb_is_refused_in_text_and_in_an_attribute():
    bomb = '<!ENTITY e0 "lol">' + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    began = time.process_time()
    assert refusal(declaring(bomb, "&e9;")) == "XML that declares entities, which are not read"
    assert refusal(declaring(bomb, attribute='who="&e9;"')).startswith(
        ("XML that declares entities", "no well-formed XML: Maximum entity amplification factor exceeded")
    )
    assert time.process_time() - began < 1  # seconds


@pytest.mark.parametrize("kind", ["", "%"])
def test_an_external_entity_is_not_opened(tmp_path, kind):
    secret = tmp_path / "secret"
    secret.write_text('<!ENTITY e "SECRET">' if kind else "SECRET")
    used = "%x;" if kind else '<!ENTITY e "so">'
    reason = refusal(declaring(f'<!ENTITY {kind} x SYSTEM "{secret.as_uri()}">{used}', "<seg>&x;&e;</seg>"))
    assert reason == "XML that declares entities, which are not read"


def test_an_external_document_type_is_not_opened_and_its_entities_are_refused(tmp_path):
    types = tmp_path / "types.dtd"
    types.write_text('<!ENTITY e "SECRET">')
    page = f'<!DOCTYPE TEI SYSTEM "{types.as_uri()}">{TEI}<text><u><seg>So {{}}.</seg></u></text></TEI>'
    assert read(page.format("be it")) == ["So be it."]
    assert refusal(page.format("&e;")) == "XML with the entity &e;"


def test_an_include_is_not_followed(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("SECRET")
    include = (
        f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{secret.as_uri()}" parse="text"/>'
    )
    assert read(f"{TEI}<text><u><seg>So {include}be it.</seg></u></text></TEI>") == ["So be it."]


def test_elements_nested_without_end_are_refused():
    assert refusal(f"{TEI}{'<div>' * 100_000}").startswith("no well-formed XML: Excessive depth")


@pytest.mark.slow
def test_a_speech_of_elements_without_end_is_refused_and_one_between_speeches_costs_nothing():
    many = "<seg/>" * 500_001
    assert refusal(f"{TEI}<text><u>{many}</u></text></TEI>") == "an element with more than 500000 within"
    assert read(f"{TEI}<text><u>So.</u><div>{many}</div></text></TEI>") == ["So."]


def test_a_section_with_headings_without_end_takes_no_longer_than_its_length():
    space = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
    headings = f"<heading>{'On the bridge ' * 100}</heading>" * 10_000
    began = time.process_time()
    assert read(
        f'<akomaNtoso xmlns="{space}"><debate>{headings}<speech>So.</speech></debate></akomaNtoso>'
    ) == ["So."]
    assert time.process_time() - began < 5  # seconds; the square takes minutes


def test_the_speeches_before_a_break_are_kept():
    found = []
    data = io.BytesIO(f"{TEI}<text>\n<u>One.</u>\n<u>Two.</u>\n<u>Thr".encode())
    with pytest.raises(TranscriptError, match=r"a\.xml, line 4: no well-formed XML"):
        found.extend(get_format("xml").read(Source("a.xml", data, "a"), [].append))
    assert [document.text for document, _ in found] == ["One.", "Two."]


@pytest.mark.parametrize(
    "data", [b"", b"<", b"<a", b"\0" * 99, b"<?xml version='1.0' encoding='no'?><a/>", b"so"]
)
def test_file_that_is_not_xml_is_refused(data):
    assert refusal(data)


def test_a_prefix_that_nothing_declares_is_part_of_a_name():
    assert refusal("<a:TEI/>") == "no Akoma Ntoso, TEI or publicwhip: 'a:TEI' without a namespace"


def test_other_encodings_are_read_as_declared():
    page = f'<?xml version="1.0" encoding="{{}}"?>{TEI}<text><u>Café.</u></text></TEI>'
    for encoding in ("utf-8", "utf-16", "iso-8859-1"):
        assert read(page.format(encoding).encode(encoding)) == ["Café."]
