// SPDX-License-Identifier: MIT

// Creates elements. Text from feeds is only inserted through textContent and checked attributes.
sluice.tiles = (() => {
    const svgSpace = "http://www.w3.org/2000/svg";
    // The duration of the fade-in in milliseconds, as in the style sheet.
    const fade = 250;
    // The time in milliseconds that a picture may take to load without a placeholder and a fade-in. With them, fast
    // scrolling would cost several times as much.
    const placeholderDelay = 80;
    const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

    // Sets attributes, and removes those without a value.
    function set(element, attributes) {
        for (const [name, value] of Object.entries(attributes)) {
            if (value === undefined || value === null) element.removeAttribute(name); else element.setAttribute(name, value);
        }
    }

    function make(name, { text, className, ...attributes } = {}, ...children) {
        const element = document.createElement(name);
        if (className) element.className = className;
        if (text !== undefined) element.textContent = text;
        set(element, attributes);
        element.append(...children.filter(Boolean));
        return element;
    }

    function icon(name) {
        const svg = document.createElementNS(svgSpace, "svg");
        const use = document.createElementNS(svgSpace, "use");
        use.setAttribute("href", `#icon-${name}`);
        svg.setAttribute("aria-hidden", "true");
        svg.append(use);
        return svg;
    }

    // A link if the address is a web URL, otherwise plain text.
    function link(text, address, className) {
        if (!/^https?:\/\/[^\s\\]+$/i.test(address || "")) return make("span", { text, className, dir: "auto" });
        return make("a", { text, className, dir: "auto", href: address, rel: "noopener noreferrer nofollow", target: "_blank" });
    }

    // The original of a thumbnail, elsewhere on the same disk. Pages from a server cannot open it.
    const localFile = (record) => location.protocol === "file:" ? record.local : undefined;
    // The original, unless browsers only download it.
    const shownFile = (record) => record.download ? undefined : record.file || localFile(record);
    const name = (record) => record.user_caption || record.caption || `Photo ${record.seq}`;
    const stars = (record) => "★".repeat(Math.max(0, record.rating || 0));
    const maxName = 160;
    // The name, or its beginning, where a long caption would be in the way.
    const shortName = (record) => {
        const text = name(record);
        return text.length > maxName ? `${text.slice(0, maxName - 1).replace(/\s+\S*$/, "")}…` : text;
    };
    // The classes that draw a chequered ground behind a transparent photo, darker behind a pale one.
    function backdropOf(record) {
        if (!sluice.placeholder.isTransparent(record.placeholder)) return "";
        const [red, green, blue] = [1, 3, 5].map((at) => parseInt((record.color || "#000000").slice(at, at + 2), 16));
        return 0.3 * red + 0.59 * green + 0.11 * blue > 170 ? "clear pale" : "clear";
    }
    // Shows the photo's colour, or the ground of a transparent photo, until the picture has loaded.
    function paintGround(element, record) {
        const backdrop = record.thumbs ? backdropOf(record) : "";
        if (backdrop) element.classList.add(...backdrop.split(" "));
        else if (record.color) element.style.backgroundColor = record.color;
    }
    const labels = { failed: "Failed", skipped: "Skipped", pending: "Not downloaded yet", rejected: "Rejected", done: "No file kept" };
    const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");
    // The state of a photo in words, for example the format of an original that has no picture.
    const stateLabel = (record) => record.state === "done" && record.file
        ? `${(record.format || "file").toUpperCase()}, ${bytes(record.bytes)}` : labels[record.state];
    const address = (record) => sluice.route.format({ ...sluice.current, photo: record.seq });

    // The text that screen readers announce for a photo.
    function accessibleName(record) {
        const parts = [shortName(record)];
        if (record.author) parts.push(`by ${record.author}`);
        if (record.rating > 0) parts.push(`${record.rating} of 5 stars`);
        if (record.state !== "done") parts.push(`${labels[record.state]}${record.cause ? `: ${record.cause}` : ""}`);
        return parts.join(", ");
    }

    // The files from which the browser may choose for the size on the screen: the thumbnails, and an original that is
    // larger and light enough to be shown among many.
    const maxLight = 500e3;
    function candidates(record) {
        const files = record.thumbs.filter((thumb) => thumb.width);
        const isLight = /^(jpeg|png|webp|avif)$/.test(record.format) && record.bytes <= maxLight && record.width <= 2000;
        const isLarger = files.length > 0 && record.width > files[files.length - 1].width;
        return isLight && isLarger && record.file ? [...files, { file: record.file, width: record.width }] : files;
    }

    function image(record, width) {
        const img = make("img", { alt: accessibleName(record), decoding: "async", draggable: "false" });
        const sizes = candidates(record);
        if (sizes.length > 1) {
            img.sizes = `${Math.ceil(width)}px`;
            img.srcset = sizes.map(({ file, width }) => `${file} ${width}w`).join(", ");
        }
        const start = performance.now();
        img.src = record.thumbs[0].file;
        if (img.complete) img.className = "there";
        img.onload = () => {
            const isSlow = performance.now() - start > placeholderDelay;
            img.className = isSlow && !reducedMotion.matches ? "there fades" : "there";
        };
        return img;
    }

    // The command that may download a missing photo, to be run in the mirror's folder.
    function command(record) {
        if (document.body.dataset.resumable === undefined) return undefined;
        if (record.state === "pending") return "sluice mirror";
        return record.remedy && `sluice mirror ${record.remedy}`;
    }

    // Splits a command into words, so that lines break between words and not at the dashes in them.
    function commandWords(text) {
        return text.split(" ").flatMap((word) => [" ", make("span", { text: word })]).slice(1);
    }

    // The content of a tile without a picture.
    function missingContent(record, label, symbol) {
        const remedy = record.state === "failed" && command(record);
        return [
            icon(symbol), make("b", { text: label }),
            record.cause && make("code", { text: record.cause }),
            remedy && make("code", { className: "remedy" }, ...commandWords(remedy)),
            make("span", { className: "caption", text: name(record), dir: "auto" }),
        ].filter(Boolean);
    }

    // An empty tile in its final size, for a row of the grid.
    function tile(place, setSize, width, height) {
        const element = make("div", {
            className: "tile", role: "listitem", "aria-posinset": place + 1, "aria-setsize": setSize, "data-place": place,
        });
        element.style.width = `${width}px`;
        element.style.height = `${height}px`;
        return element;
    }

    // Shows the blurred placeholder until the picture has loaded.
    function showPlaceholder(img, record) {
        if (img.complete || !img.isConnected) return;
        const blur = sluice.placeholder(record.placeholder);
        if (!blur) return;
        blur.setAttribute("aria-hidden", "true");
        img.before(blur);
        // Behind a transparent picture it would be seen.
        img.addEventListener("load", () => setTimeout(() => blur.remove(), backdropOf(record) ? 0 : fade));
    }

    function fill(element, record, width) {
        const anchor = make("a", { href: address(record), tabindex: -1 });
        paintGround(element, record);
        element.append(anchor);
        if (!record.thumbs) {
            element.classList.add("lost", record.state);
            element.style.backgroundColor = "";
            anchor.setAttribute("aria-label", accessibleName(record));
            anchor.append(...missingContent(record, stateLabel(record), record.state === "done" ? "photos" : record.state));
            return;
        }
        const img = image(record, width);
        const overlay = make("span", { className: "veil", "aria-hidden": "true" },
            make("span", { className: "caption", text: name(record), dir: "auto" }),
            record.author && make("span", { className: "author", text: record.author, dir: "auto" }));
        img.onerror = () => {
            // The thumbnail may exist where a larger file is missing.
            if (img.srcset) return img.removeAttribute("srcset");
            element.classList.add("lost", "failed");
            anchor.setAttribute("aria-label", `${accessibleName(record)}, the file is missing`);
            anchor.replaceChildren(...missingContent(record, "The file is missing", "failed"));
        };
        anchor.append(img, overlay);
        if (record.rating > 0) anchor.append(make("span", { className: "stars", "aria-hidden": "true", text: stars(record) }));
        if (!img.complete) setTimeout(() => showPlaceholder(img, record), placeholderDelay);
    }

    const other = "Other photos";
    const sentence = (text = "for an unknown reason") => text.charAt(0).toUpperCase() + text.slice(1);
    const counted = (count) => count === 1 ? "1 photo" : `${grouped(count)} photos`;

    // Shows a collection: its cover, its name and the number of its photos.
    function fillCollection(element, record, { name: text, count }, width) {
        const cover = make("span", { className: "cover" });
        paintGround(cover, record);
        if (record.thumbs) {
            const img = image(record, width);
            img.alt = "";
            img.onerror = () => img.replaceWith(icon("failed"));
            cover.append(img);
        } else {
            cover.append(icon(record.state === "done" ? "photos" : record.state));
        }
        const route = { ...sluice.current, view: "", collection: text || sluice.route.noCollection };
        element.classList.add("collection");
        element.append(make("a", { href: sluice.route.format(route), tabindex: -1 }, cover,
            make("b", { text: text || other, title: text, dir: "auto" }), make("span", { text: counted(count) })));
    }

    // A button that says for a moment that its action is done.
    function actionButton(text, action) {
        const button = make("button", { type: "button", text });
        button.addEventListener("click", async () => {
            const answer = await action().catch((error) => error.name === "AbortError" ? "" : error.message);
            if (!answer) return;
            button.textContent = answer;
            setTimeout(() => { button.textContent = text; }, 2000);
        });
        return button;
    }

    async function copied(text) {
        await sluice.loadDetail();
        await sluice.actions.copy(text);
        return "Copied";
    }

    // The name of a cause, and the command that may download its photos, which can be copied.
    function causeLine({ cause, remedy }) {
        const text = command({ state: "failed", remedy });
        return make("p", {}, make("code", { className: "cause", text: cause }), ...(text
            ? [make("code", { className: "remedy", text }), actionButton("Copy", () => copied(text))]
            : [make("span", { text: remedy ? "" : "A retry would not help." })]));
    }

    function heading({ name: text, count, isPage, failure }) {
        const route = { ...sluice.current, collection: "", view: "collections" };
        return [
            isPage && make("a", { href: sluice.route.format(route), text: "Collections" }),
            make("h2", { text: failure ? sentence(text) : text || other, dir: "auto" }),
            make("span", { text: counted(count) }),
            failure?.cause && causeLine(failure),
        ].filter(Boolean);
    }

    function size(record) {
        return record.width && record.height ? `${record.width} × ${record.height}` : "";
    }

    function bytes(count) {
        if (count < 1000) return `${count} bytes`;
        const units = ["kB", "MB", "GB"];
        let value = count / 1000;
        let unit = 0;
        while (value >= 999.5 && unit < 2) { value /= 1000; unit++; }
        return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
    }

    function day(seconds) {
        return new Date(seconds * 1000).toLocaleDateString(
            "en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
    }

    // Whether the table shows a column: the page states which ones have a value for any photo.
    const hasColumn = (name) => `art name ${document.body.dataset.columns}`.split(" ").includes(name);

    // Fills a row of the table.
    function fillLine(element, record) {
        const art = make("span", { className: "art", role: "cell" });
        paintGround(art, record);
        if (record.thumbs) {
            const img = image(record, 44);
            img.alt = "";
            art.append(img);
        } else {
            art.append(icon(record.state === "done" ? "photos" : record.state));
        }
        const texts = {
            who: record.author, set: record.collection,
            state: record.state === "done" ? "" : record.cause || labels[record.state],
            dims: size(record), weight: record.bytes === undefined ? "" : bytes(record.bytes),
            date: record.date === undefined ? "" : day(record.date),
        };
        element.classList.add(record.state);
        element.append(
            art,
            make("span", { className: "name", role: "cell", dir: "auto" },
                make("a", { text: shortName(record), href: address(record), tabindex: -1 })),
            ...Object.keys(texts).filter(hasColumn).map((column) =>
                make("span", { className: column, role: "cell", text: texts[column] || "", dir: "auto" })));
    }

    return { make, set, icon, link, tile, fill, fillCollection, other, heading, hasColumn, fillLine, command, commandWords, actionButton, copied, sentence, name, stars, labels, stateLabel, grouped, size, bytes, day, shownFile, localFile, shortName, backdropOf, accessibleName };
})();
