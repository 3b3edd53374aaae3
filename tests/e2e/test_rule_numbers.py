"""Rule numbers lead to the rule, in the reader's language."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visits
from tests.e2e.words import LANGUAGES, messages


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rule_number_leads_to_the_rule_in_the_readers_language(visits: Visits, language: str) -> None:
    visitor = visits(settings={"language": language})
    visitor.go("/learn/megaliths#FC")
    page = visitor.page
    name = messages(language)["learn.rule"].replace("{rule}", "P5")
    page.locator("#FC").get_by_role("link", name=name, exact=True).click()
    expect(page).to_have_url(f"{visitor.address}/learn#P5")
    rule = page.locator("#P5")
    expect(rule).to_be_focused()
    expect(rule).to_be_in_viewport()
    expect(rule.get_by_role("link", name=name, exact=True)).to_be_visible()
    # The number is shown once, although three sentences explain the rule.
    expect(page.locator("#exits").get_by_role("link", name=name, exact=True)).to_have_count(1)
