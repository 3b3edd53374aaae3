"""Visible faults on a page, found in the browser by scripts that work on any page."""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Page

_COMMON: Final = r"""
    const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    // Text that is only for screen readers is hidden in a one-pixel box.
    const spoken = (element) => element.closest('.hidden-text, [inert]') !== null
        || (element.clientWidth === 1 && element.clientHeight === 1);
    const name = (element) => {
        const words = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replace(/\s+/g, ' ');
        const style = typeof element.className === 'string' ? element.className.split(' ')[0] : '';
        return `${element.tagName.toLowerCase()}${style && '.' + style} «${words.slice(0, 50)}»`;
    };
"""

FAULTS: Final = (
    "() => {"
    + _COMMON
    + r"""
    const faults = [];
    const width = document.documentElement.clientWidth;
    if (document.scrollingElement.scrollWidth > width) {
        const wide = [...document.querySelectorAll('body *')]
            .filter((one) => seen(one) && one.getBoundingClientRect().right > width + 1).map(name);
        faults.push(`the page is wider than the window: ${document.scrollingElement.scrollWidth} > ${width}: `
            + wide.slice(-3).join(', '));
    }
    // Texts that do not fit into their elements.
    const texts = 'button, a, label, legend, summary, select, h1, h2, h3, h4, p, li, dt, dd, span';
    for (const one of document.querySelectorAll(texts)) {
        if (!seen(one) || spoken(one) || one.clientWidth === 0 || !one.textContent.trim()) continue;
        const style = getComputedStyle(one);
        const scrolls = ['auto', 'scroll'].includes(style.overflowX);
        if (!scrolls && one.scrollWidth > one.clientWidth + 1)
            faults.push(`text is wider than its element: ${name(one)}: ${one.scrollWidth} > ${one.clientWidth}`);
        const hides = ['hidden', 'clip'].includes(style.overflowY);
        if (hides && one.scrollHeight > one.clientHeight + 1)
            faults.push(`text is taller than its element: ${name(one)}: ${one.scrollHeight} > ${one.clientHeight}`);
    }
    // Controls that overlap or extend beyond the edge.
    const controls = [...document.querySelectorAll(
        'button, a[href], input, select, textarea, summary, label:has(input), [role="button"], [role="gridcell"]')]
        .filter((one) => seen(one) && !spoken(one) && !one.disabled && getComputedStyle(one).position !== 'fixed')
        .filter((one) => !one.closest('.skip') && (one.tagName !== 'INPUT' || !one.closest('label')));
    // Ignore any part of a control that is scrolled out of sight.
    const visible = (one, rect) => {
        let { left, right, top, bottom } = rect;
        for (let box = one.parentElement; box; box = box.parentElement) {
            const { overflowX, overflowY } = getComputedStyle(box);
            const edge = box.getBoundingClientRect();
            if (['auto', 'scroll'].includes(overflowX))
                [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
            if (['auto', 'scroll'].includes(overflowY))
                [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
        }
        return { left, right, top, bottom, width: right - left, height: bottom - top };
    };
    const boxes = controls.flatMap((one) => [...one.getClientRects()].map((box) => ({ one, box: visible(one, box) })))
        .filter(({ box }) => box.width > 1 && box.height > 1);
    for (const { one, box } of boxes) {
        if (box.left < -1 || box.right > width + 1)
            faults.push(`beyond the edge: ${name(one)}: ${Math.round(box.left)} to ${Math.round(box.right)}`);
    }
    const fixed = (one) => { for (let e = one; e; e = e.parentElement)
        if (['fixed', 'sticky'].includes(getComputedStyle(e).position) || e.matches('[data-overlay]')) return true;
        return false; };
    const still = boxes.map((entry) => ({ ...entry, fixed: fixed(entry.one) }));
    still.forEach((a, index) => {
        for (const b of still.slice(index + 1)) {
            if (a.fixed !== b.fixed || a.one.contains(b.one) || b.one.contains(a.one)) continue;
            const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
            const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
            if (across > 2 && down > 2 && !(a.one.closest('section.end') ?? b.one.closest('section.end')))
                faults.push(`overlapping: ${name(a.one)} and ${name(b.one)}`);
        }
    });
    return [...new Set(faults)];
}"""
)

TEXTS: Final = (
    "() => {"
    + _COMMON
    + r"""
    const found = {};
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.textContent.trim().replace(/\s+/g, ' ');
        const parent = node.parentElement;
        if (!text || ['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEXTAREA'].includes(parent.tagName)) continue;
        if (!parent.closest('option') && !parent.checkVisibility()) continue;
        if (parent.closest('[lang]:not(html)')) continue;
        found[text] ??= name(parent);
    }
    for (const attribute of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext', 'aria-description']) {
        for (const one of document.querySelectorAll(`[${attribute}]`)) {
            const text = one.getAttribute(attribute).trim();
            if (!text || one.closest('[inert]') || !one.checkVisibility()) continue;
            found[text] ??= `${attribute} of ${name(one)}`;
        }
    }
    found[document.title] ??= 'the title';
    return found;
}"""
)


def faults(page: Page) -> list[str]:
    """Find overflows, clipped texts and overlaps."""
    return list(page.evaluate(FAULTS))


def texts(page: Page) -> dict[str, str]:
    """Every visible or accessible text, and where it is."""
    found: dict[str, Any] = page.evaluate(TEXTS)
    return {text: str(where) for text, where in found.items()}
