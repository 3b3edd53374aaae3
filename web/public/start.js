// Runs before all other scripts. It starts the page's downloads in parallel; without it, they would start one after
// another. It also sets the theme, so that the page does not flash in the wrong theme. lib/settings updates the theme
// later.
(function () {
    function meta(name) {
        var found = document.querySelector('meta[name="' + name + '"]');
        return found && found.content;
    }
    // On a static site, the path of the page is in the URL fragment; see lib/router.svelte.ts.
    var isStatic = meta("cairn-host") === "static";
    var path = isStatic ? location.hash.slice(1) || "/" : location.pathname;
    // For a game on the server, open the socket now. lib/reconnecting.ts takes over the socket and the messages
    // received on it.
    var place = /^\/(?:game\/([^/]+)\/?)?$/.exec(path);
    var onServer = place && place[1] && !isStatic && !place[1].startsWith("device-");
    if (onServer) {
        var address = new URL("/api/games/" + place[1] + "/socket", location.href);
        address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
        var early = { socket: new WebSocket(address.href), heard: [] };
        early.socket.onmessage = function (event) {
            early.heard.push(event);
        };
        window.cairnEarly = early;
    }

    // Preload the page's scripts.
    var files = JSON.parse(meta("early") || "{}");
    var root = new URL(".", document.currentScript.src).href;
    function fetchEarly(name) {
        (files[name] || []).forEach(function (file) {
            var link = document.createElement("link");
            link.rel = "modulepreload";
            link.href = root + file;
            document.head.append(link);
        });
    }
    var page = place && (place[1] ? "game" : "home");
    if (page) fetchEarly(page);
    if (page === "game") fetchEarly(onServer ? "server" : "here");

    // Set the theme only after the downloads have started, because browsers are slow to open storage.
    var saved = {};
    try {
        saved = JSON.parse(localStorage.getItem("cairn.settings") || "{}") || {};
    } catch {
        // Storage is blocked, or its content is unreadable: follow the system preference.
    }
    function matches(query) {
        return window.matchMedia(query).matches;
    }
    var dark = saved.theme === "dark" || (saved.theme !== "light" && matches("(prefers-color-scheme: dark)"));
    var more = saved.contrast === "more" || (saved.contrast !== "normal" && matches("(prefers-contrast: more)"));
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.dataset.contrast = more ? "more" : "normal";

    // Preload the texts and the fonts. The language is chosen as in lib/i18n/languages.ts.
    var preferred = [saved.language].concat(navigator.languages || [], "en").map(function (tag) {
        return String(tag).toLowerCase().split("-")[0];
    });
    var language = preferred.find(function (code) {
        return ["en", "fr", "de", "ru"].includes(code);
    });
    fetchEarly(language);
    if (page) fetchEarly(page + " " + language);
    (files.fonts || []).forEach(function (file) {
        // Cyrillic letters have files of their own.
        if (language !== "ru" && file.includes("language-ru")) return;
        var link = document.createElement("link");
        link.rel = "preload";
        link.as = "font";
        link.crossOrigin = "";
        link.href = root + file;
        document.head.append(link);
    });
})();
