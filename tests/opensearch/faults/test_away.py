"""A cluster that goes and comes back under a service that stays."""

import json
import time
from dataclasses import replace
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from rostrum.assemble import assemble
from rostrum_core.settings import read_settings
from rostrum_core.types import Document
from tools.service_process import ServiceProcess

from .conftest import PATIENT_S

pytestmark = pytest.mark.timeout(600)  # two nodes may start slowly where cores are shared


def asked(url):
    """Status and body of an answer."""
    try:
        with urlopen(url, timeout=PATIENT_S) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        with error:
            return error.code, json.load(error) | {"after": error.headers["Retry-After"]}


@pytest.mark.slow
def test_a_service_whose_cluster_goes_and_comes_back_says_so_and_goes_on(nodes, open_store, tmp_path):
    named = {"opensearch_url": nodes[0].url, "opensearch_prefix": "fault-", "opensearch_engine": "exact"}
    assemble(replace(read_settings({}), **named)).refresh(
        [Document("moon", "", "We choose to go to the moon.")]
    )
    service = ServiceProcess(tmp_path / "log", **named, opensearch_timeout_s="3").wait_serving()
    search = f"{service.url}/v1/search?q=the+moon"
    try:
        assert asked(search)[1]["recommendations"][0]["document"]["id"] == "moon"
        nodes[0].end()
        time.sleep(1.5)  # for a second, a service remembers which generation is published
        status, body = asked(search)
        assert (status, body["error"]["code"], body["after"]) == (503, "archive_unavailable", "5")
        assert asked(f"{service.url}/ready")[0] == 503
        assert asked(f"{service.url}/health")[0] == 200
        assert f"OpenSearch at {nodes[0].url} cannot be reached" in service.read_output()
        assert '"level": "info", "logger": "opensearch"' not in service.read_output()
        nodes[0].start()
        assert asked(search)[0] == 200
        assert asked(f"{service.url}/ready")[0] == 200
    finally:
        service.stop()
