// Runs before everything else. It sets the theme, so that no page flashes in the wrong one; lib/settings keeps it
// afterwards. And it asks at once for what this page is going to need, which otherwise one script after another would do.
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
    var root = document.documentElement;
    var dark = saved.theme === "dark" || (saved.theme !== "light" && matches("(prefers-color-scheme: dark)"));
    var more = saved.contrast === "more" || (saved.contrast !== "normal" && matches("(prefers-contrast: more)"));
    root.dataset.theme = dark ? "dark" : "light";
    root.dataset.contrast = more ? "more" : "normal";

    // The scripts of the page, and its language, as lib/i18n/languages.ts finds it.
    var place = /^\/(?:game\/([^/]+)\/?)?$/.exec(location.pathname);
    var told = document.querySelector('meta[name="early"]');
    var files = told ? JSON.parse(told.content) : {};
    var wished = [saved.language].concat(navigator.languages || [], "en").map(function (tag) {
        return String(tag).toLowerCase().split("-")[0];
    });
    var language = wished.find(function (code) {
        return ["en", "fr", "de", "ru"].includes(code);
    });
    (place ? files[place[1] ? "game" : "home"] || [] : []).concat(files[language] || []).forEach(function (file) {
        var link = document.createElement("link");
        link.rel = "modulepreload";
        link.href = "/" + file;
        document.head.append(link);
    });

    // The game: lib/socket.ts takes the connection over, with what was said on it meanwhile.
    if (place && place[1]) {
        var address = new URL("/api/games/" + place[1] + "/socket", location.href);
        address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
        var early = { socket: new WebSocket(address.href), heard: [] };
        early.socket.onmessage = function (event) {
            early.heard.push(event);
        };
        window.cairnEarly = early;
    }
})();
