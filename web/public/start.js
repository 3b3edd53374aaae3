// Runs before the first paint, so that no page flashes in the wrong theme. lib/settings keeps the attributes afterwards.
(function () {
    var saved = {};
    try {
        saved = JSON.parse(localStorage.getItem("cairn.settings") || "{}") || {};
    } catch {
        // Nothing saved, or nothing readable: the system decides.
    }
    function matches(query) {
        return window.matchMedia(query).matches;
    }
    var dark = saved.theme === "dark" || (saved.theme !== "light" && matches("(prefers-color-scheme: dark)"));
    var more = saved.contrast === "more" || (saved.contrast !== "normal" && matches("(prefers-contrast: more)"));
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.dataset.contrast = more ? "more" : "normal";
})();
