// SPDX-License-Identifier: MIT

// Updates an open page when a gallery shown by "sluice serve" is rewritten.
(() => {
    const facts = document.body.dataset;
    // The version announced last, and the version shown.
    let announced = facts.live;
    let shown = announced;
    let isUpdating = false;

    const line = document.getElementById("live");
    // Shows the progress of a run; an empty text hides it.
    function showRun(text) {
        line.hidden = !text;
        line.textContent = text;
    }

    // Loads the front page again and takes over its facts and texts.
    async function reloadPage() {
        const reply = await fetch(location.pathname, { cache: "no-cache" });
        if (!reply.ok) throw new Error(`index.html: ${reply.status}`);
        const page = new DOMParser().parseFromString(await reply.text(), "text/html");
        for (const name of ["items", "blocks", "sections", "columns", "live"]) facts[name] = page.body.dataset[name];
        if (page.body.dataset.running === undefined) delete facts.running; else facts.running = "";
        for (const part of [".counts", "footer"]) {
            document.querySelector(part).replaceChildren(...page.querySelector(part).childNodes);
        }
        shown = facts.live;
        if (Number(facts.items) === 0) return;
        document.getElementById("tools").hidden = false;
        document.querySelector(".empty")?.remove();
        await sluice.refresh(shown);
    }

    // Updates to the version announced last. Versions announced during an update are combined.
    async function catchUp() {
        if (isUpdating) return;
        isUpdating = true;
        try {
            while (shown !== announced) {
                const stamp = announced;
                await reloadPage();
                // The page may have been rewritten again after the announcement.
                if (shown !== stamp && announced === stamp) announced = shown;
            }
        } catch (error) {
            shown = announced;
            sluice.showLoadError(error.message);
        }
        isUpdating = false;
    }

    sluice.listenForUpdates = () => {
        if (facts.live === undefined) return;
        let stream;
        // A browser has six connections to a server, for all pages together. A hidden page and one that is kept for the
        // back button need none; the first event after the next opening has the version of that time.
        const follow = (isShown) => {
            stream?.close();
            stream = undefined;
            if (!isShown) return;
            stream = new EventSource("gallery/live");
            stream.onmessage = (event) => {
                announced = event.data;
                catchUp();
            };
            stream.addEventListener("progress", (event) => showRun(event.data));
            stream.onerror = () => showRun("");
        };
        follow(!document.hidden);
        document.addEventListener("visibilitychange", () => follow(!document.hidden));
        addEventListener("pagehide", () => follow(false));
        addEventListener("pageshow", (event) => { if (event.persisted) follow(!document.hidden); });
    };
})();
