// SPDX-License-Identifier: MIT

// Elements. Text from feeds enters the page as text alone: through textContent and checked attributes.
sluice.tiles = (() => {
    const svgSpace = "http://www.w3.org/2000/svg";
    // How long a picture takes to appear, as in the style.
    const fade = 250;
    const calm = matchMedia("(prefers-reduced-motion: reduce)");

    function make(name, { text, className, ...attributes } = {}, ...children) {
        const element = document.createElement(name);
        if (className) element.className = className;
        if (text !== undefined) element.textContent = text;
        for (const [key, value] of Object.entries(attributes)) {
            if (value !== undefined && value !== null) element.setAttribute(key, value);
        }
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

    // A link to the web where the address is one of the web's; mere text where not.
    function link(text, address, className) {
        if (!/^https?:\/\/[^\s\\]+$/i.test(address || "")) return make("span", { text, className, dir: "auto" });
        return make("a", { text, className, dir: "auto", href: address, rel: "noopener noreferrer nofollow", target: "_blank" });
    }

    const name = (record) => record.caption || `Photo ${record.seq}`;
    const labels = { failed: "Failed", skipped: "Skipped", pending: "Not fetched yet", done: "No picture is kept" };
    const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");
    const address = (record) => sluice.route.format({ ...sluice.current, photo: record.seq });

    function spoken(record) {
        const parts = [name(record)];
        if (record.author) parts.push(`by ${record.author}`);
        if (record.state !== "done") parts.push(`${labels[record.state]}${record.cause ? `: ${record.cause}` : ""}`);
        return parts.join(", ");
    }

    function image(record, width) {
        const img = make("img", { alt: spoken(record), decoding: "async", draggable: "false" });
        const sizes = record.thumbs.filter((thumb) => thumb.width);
        if (sizes.length > 1) {
            img.sizes = `${Math.ceil(width)}px`;
            img.srcset = sizes.map((thumb) => `${thumb.file} ${thumb.width}w`).join(", ");
        }
        img.src = record.thumbs[0].file;
        if (img.complete) img.className = "there";
        img.onload = () => { img.className = calm.matches ? "there" : "there fades"; };
        return img;
    }

    // The command that would fetch what is not there, given in the mirror's folder.
    function command(record) {
        if (document.body.dataset.goesOn === undefined) return undefined;
        if (record.state === "pending") return "sluice mirror";
        return record.remedy && `sluice mirror ${record.remedy}`;
    }

    // A command's words; a line may end between them, and not at the dashes within.
    function words(text) {
        return text.split(" ").flatMap((word) => [" ", make("span", { text: word })]).slice(1);
    }

    function lost(record, label, symbol) {
        const remedy = record.state === "failed" && command(record);
        return [
            icon(symbol), make("b", { text: label }),
            record.cause && make("code", { text: record.cause }),
            remedy && make("code", { className: "remedy" }, ...words(remedy)),
            make("span", { className: "caption", text: record.caption || `Photo ${record.seq}`, dir: "auto" }),
        ].filter(Boolean);
    }

    // An empty tile of its final size, in the row of a grid.
    function tile(place, setSize, width, height, aspect) {
        const element = make("div", {
            className: "tile", role: "listitem", "aria-posinset": place + 1, "aria-setsize": setSize, "data-place": place,
        });
        element.style.width = `${width}px`;
        element.style.height = `${height}px`;
        element.style.setProperty("--aspect", aspect.toFixed(4));
        element.style.flexGrow = aspect.toFixed(4);
        return element;
    }

    function fill(element, record, width) {
        const anchor = make("a", { href: address(record), tabindex: -1 });
        if (record.color) element.style.backgroundColor = record.color;
        element.append(anchor);
        if (!record.thumbs) {
            element.classList.add("lost", record.state);
            element.style.backgroundColor = "";
            anchor.setAttribute("aria-label", spoken(record));
            anchor.append(...lost(record, labels[record.state], record.state === "done" ? "photos" : record.state));
            return;
        }
        const img = image(record, width);
        const veil = make("span", { className: "veil", "aria-hidden": "true" },
            make("span", { className: "caption", text: name(record), dir: "auto" }),
            record.author && make("span", { className: "author", text: record.author, dir: "auto" }));
        // Until the picture is there, its hash stands in for it.
        const blur = img.complete ? null : sluice.placeholder(record.placeholder);
        if (blur) {
            blur.setAttribute("aria-hidden", "true");
            anchor.append(blur);
            img.addEventListener("load", () => setTimeout(() => blur.remove(), fade));
        }
        img.onerror = () => {
            element.classList.add("lost", "failed");
            anchor.setAttribute("aria-label", `${spoken(record)}, the file is missing`);
            anchor.replaceChildren(...lost(record, "The file is missing", "failed"));
        };
        anchor.append(img, veil);
    }

    function heading({ name: text, count }) {
        return [
            make("h2", { text: text || "Other photos", dir: "auto" }),
            make("span", { text: count === 1 ? "1 photo" : `${grouped(count)} photos` }),
        ];
    }

    function size(record) {
        return record.width && record.height ? `${record.width} × ${record.height}` : "";
    }

    // The cells of one row of the table.
    function line(element, record) {
        const art = make("span", { className: "art", role: "cell" });
        if (record.color) art.style.backgroundColor = record.color;
        if (record.thumbs) {
            const img = image(record, 44);
            img.alt = "";
            art.append(img);
        } else {
            art.append(icon(record.state === "done" ? "photos" : record.state));
        }
        const state = record.state === "done" ? "" : record.cause || labels[record.state];
        element.append(
            art,
            make("span", { className: "name", role: "cell" },
                make("a", { text: name(record), href: address(record), tabindex: -1, dir: "auto" })),
            make("span", { className: "who", role: "cell", text: record.author || "", dir: "auto" }),
            make("span", { className: "set", role: "cell", text: record.collection || "", dir: "auto" }),
            make("span", { className: `state ${record.state}`, role: "cell", text: state }),
            make("span", { className: "dims", role: "cell", text: size(record) }));
    }

    return { make, icon, link, tile, fill, heading, line, command, words, name, labels, grouped, size, spoken };
})();
