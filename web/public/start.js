// Runs before everything else. It starts the downloads that the page needs, which the scripts would start only one after
// another, and sets the theme, so that no page flashes in the wrong one. lib/settings keeps the theme up to date later.
(function () {
    // The game: lib/reconnecting.ts takes the connection over, with what it has received.
    var place = /^\/(?:game\/([^/]+)\/?)?$/.exec(location.pathname);
    if (place && place[1]) {
        var address = new URL("/api/games/" + place[1] + "/socket", location.href);
        address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
        var early = { socket: new WebSocket(address.href), heard: [] };
        early.socket.onmessage = function (event) {
            early.heard.push(event);
        };
        window.cairnEarly = early;
    }

    // The scripts of the page.
    var told = document.querySelector('meta[name="early"]');
    var files = told ? JSON.parse(told.content) : {};
    function fetchEarly(name) {
        (files[name] || []).forEach(function (file) {
            var link = document.createElement("link");
            link.rel = "modulepreload";
            link.href = "/" + file;
            document.head.append(link);
        });
    }
    if (place) fetchEarly(place[1] ? "game" : "home");

    // The theme. Storage is read this late because browsers are slow to open it.
    var saved = {};
    try {
        saved = JSON.parse(localStorage.getItem("cairn.settings") || "{}") || {};
    } catch {
        // Storage is blocked, or its content is unreadable: the system decides.
    }
    function matches(query) {
        return window.matchMedia(query).matches;
    }
    var dark = saved.theme === "dark" || (saved.theme !== "light" && matches("(prefers-color-scheme: dark)"));
    var more = saved.contrast === "more" || (saved.contrast !== "normal" && matches("(prefers-contrast: more)"));
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.dataset.contrast = more ? "more" : "normal";

    // The language, chosen as in lib/i18n/languages.ts.
    var wished = [saved.language].concat(navigator.languages || [], "en").map(function (tag) {
        return String(tag).toLowerCase().split("-")[0];
    });
    fetchEarly(
        wished.find(function (code) {
            return ["en", "fr", "de", "ru"].includes(code);
        }),
    );
})();
