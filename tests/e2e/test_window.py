"""The window that tests share: each test finds it in the state of a new window."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.visit import DESKTOP, PHONE, QUIET, Visitor

LEFT_BEHIND = """() => {
    localStorage.setItem('cairn.left', 'behind');
    sessionStorage.setItem('cairn.left', 'behind');
    window.addEventListener('pagehide', () => sessionStorage.setItem('cairn.late', 'behind'));
}"""
STORED = "() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) => /left|late/.test(key))"


def test_a_reset_window_is_like_a_new_one(visitor: Visitor) -> None:
    visitor.sign_up()
    page = visitor.go("/settings")
    page.evaluate(LEFT_BEHIND)
    page.evaluate("text => localStorage.setItem('cairn.settings', text)", '{"theme": "dark"}')
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    visitor.complaints.append("an error")
    visitor.reset()
    assert (visitor.complaints, visitor.requests) == ([], [])

    visitor.go("/")
    assert visitor.settings() == QUIET
    assert page.evaluate(STORED) == []
    assert page.evaluate("async () => (await (await fetch('/api/me')).json()).player") is None
    assert page.viewport_size == {"width": DESKTOP[0], "height": DESKTOP[1]}


def test_changes_that_a_reset_cannot_undo_are_refused(visitor: Visitor) -> None:
    changes: tuple[Callable[[], object], ...] = (
        lambda: visitor.context.add_init_script("1"),
        lambda: visitor.page.add_init_script("1"),
        lambda: visitor.page.route("**", lambda route: route.abort()),
    )
    for change in changes:
        with pytest.raises(pytest.fail.Exception, match="own_visitor"):
            change()
