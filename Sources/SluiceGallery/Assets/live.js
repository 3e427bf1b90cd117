// SPDX-License-Identifier: MIT

// Where "sluice serve" shows the gallery, a page hears when it was written anew, and shows what has arrived.
(() => {
    const facts = document.body.dataset;
    let wanted = facts.live;
    let shown = wanted;
    let isBusy = false;

    // Takes over what the front page says of itself now.
    async function renew() {
        const reply = await fetch(location.pathname, { cache: "no-cache" });
        if (!reply.ok) throw new Error(`index.html: ${reply.status}`);
        const page = new DOMParser().parseFromString(await reply.text(), "text/html");
        for (const name of ["items", "blocks", "sections", "live"]) facts[name] = page.body.dataset[name];
        if (page.body.dataset.running === undefined) delete facts.running; else facts.running = "";
        for (const part of [".counts", "footer"]) {
            document.querySelector(part).replaceChildren(...page.querySelector(part).childNodes);
        }
        shown = facts.live;
        if (Number(facts.items) === 0) return;
        document.getElementById("tools").hidden = false;
        document.querySelector(".empty")?.remove();
        await sluice.renew(shown);
    }

    // One after the other; of several news that come meanwhile the last counts.
    async function catchUp() {
        if (isBusy) return;
        isBusy = true;
        try {
            while (shown !== wanted) {
                const stamp = wanted;
                await renew();
                // The page may have been written once more between the news and its reading.
                if (shown !== stamp && wanted === stamp) wanted = shown;
            }
        } catch (error) {
            shown = wanted;
            sluice.complain(error.message);
        }
        isBusy = false;
    }

    sluice.listen = () => {
        if (facts.live === undefined) return;
        new EventSource("gallery/live").onmessage = (event) => {
            wanted = event.data;
            catchUp();
        };
    };
})();
