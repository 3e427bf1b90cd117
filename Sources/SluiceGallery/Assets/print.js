// SPDX-License-Identifier: MIT

// Prints a contact sheet with captions and credits: the selected photos, or those from the first one in view on.
(() => {
    const { make, name, other, sentence, stateLabel } = sluice.tiles;
    const { data, grid, selection } = sluice;
    const sheet = document.getElementById("contact-sheet");
    const maxPhotos = 300;
    let isReady = false;

    function figure(record) {
        const by = record.attribution || (record.author && `by ${record.author}`);
        const picture = record.thumbs
            ? make("img", { src: record.thumbs[record.thumbs.length - 1].file, alt: "" })
            : make("p", { className: "reason", text: [stateLabel(record), record.cause].filter(Boolean).join(": ") });
        return make("figure", {}, picture, make("figcaption", {}, make("strong", { text: name(record), dir: "auto" }),
            make("span", { text: [by, record.license].filter(Boolean).join(", "), dir: "auto" })));
    }

    // The photos to print, and the headings above them.
    function parts() {
        const chosen = selection.ordinals();
        if (chosen.length) return chosen.map((ordinal) => ({ ordinal }));
        const first = grid.length ? grid.placeAt(grid.share()) : 0;
        const list = [];
        for (let at = first; at < Math.min(grid.length, first + maxPhotos); at++) {
            const section = sluice.lastAtOrBefore(grid.view.sections, at);
            if (section && (at === first || section.at === at)) list.push({ heading: sentence(section.name || other) });
            list.push({ ordinal: grid.view.at(at) });
        }
        return list;
    }

    // Fills the sheet with the photos whose records are loaded.
    function build() {
        sheet.replaceChildren(...parts().map(({ heading, ordinal }) => {
            if (heading) return make("h2", { text: heading, dir: "auto" });
            const record = data.peek(ordinal);
            return record ? figure(record) : "";
        }));
    }

    // Loads all photos of the sheet, then prints it. The browser's own menu prints only those that are loaded.
    sluice.print = async () => {
        for (const { ordinal } of parts()) if (ordinal !== undefined) await data.record(ordinal);
        build();
        await Promise.allSettled([...sheet.querySelectorAll("img")].map((picture) => picture.decode()));
        isReady = true;
        print();
    };
    addEventListener("beforeprint", () => { if (!isReady) build(); });
    addEventListener("afterprint", () => {
        isReady = false;
        sheet.replaceChildren();
    });
})();
