"""Tables say what was measured last."""

from benchmarks.render import TABLES, pages, rendered, stale


def test_no_table_in_readme_or_docs_is_stale():
    assert stale() == []


def test_the_readme_shows_the_figures_of_the_test_set():
    readme = next(page for page in pages() if page.name == "README.md").read_text("utf-8")
    for name in ("ranking-test", "spans-test", "candidates"):
        assert f"<!-- table: {name} -->" in readme


def test_a_changed_figure_makes_a_table_stale():
    table = TABLES["ranking-test"]()
    page = f"<!-- table: ranking-test -->\n{table.replace('|', '/')}\n<!-- end -->"
    assert rendered(page) == f"<!-- table: ranking-test -->\n{table}\n<!-- end -->"
