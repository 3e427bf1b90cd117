// SPDX-License-Identifier: MIT

// The detail view: a dialog with one photo, which has its own URL.
sluice.detail = (() => {
    const { make, icon, link, command, commandWords, name, labels, grouped, size } = sluice.tiles;
    const data = sluice.data;
    const dialog = document.getElementById("detail");
    const stage = document.getElementById("stage");
    const sheet = document.getElementById("sheet");
    const buttons = { previous: document.getElementById("previous"), next: document.getElementById("next") };
    let shownSeq = null;
    let shownAt = -1;

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

    // The original, unless browsers only download it.
    const shownFile = (record) => record.download ? undefined : record.file;

    function showPicture(record) {
        unzoom();
        stage.className = "stage";
        if (!record.thumbs) return showMessage(record, labels[record.state], record.state === "done" ? "photos" : record.state);
        const largest = record.thumbs[record.thumbs.length - 1].file;
        const soft = make("img", { className: "soft", src: record.thumbs[0].file, alt: "", draggable: "false" });
        const sharp = make("img", { className: "sharp", src: shownFile(record) || largest, alt: name(record), draggable: "false" });
        if (sharp.complete && sharp.naturalWidth) sharp.classList.add("there");
        sharp.onload = () => sharp.classList.add("there");
        sharp.onerror = () => {
            if (sharp.getAttribute("src") !== largest) sharp.src = largest;
            else if (stage.contains(sharp)) showMessage(record, "The file is missing", "failed");
        };
        stage.replaceChildren(soft, sharp);
    }

    function showMessage(record, label, symbol) {
        stage.className = "stage bare";
        stage.replaceChildren(icon(symbol), make("b", { text: label }),
            ...(record.cause ? [make("code", { text: record.cause })] : []));
    }

    // Why the picture is missing, and the command that may download it.
    function failureBox(record) {
        if (record.state === "done") return null;
        const box = make("div", { className: "why" });
        if (record.detail) box.append(make("p", { text: record.detail, dir: "auto" }));
        const remedy = command(record);
        if (remedy) {
            box.append(make("p", { text: record.state === "pending" ? "To resume, run in this folder:" : "To retry, run in this folder:" }),
                make("pre", { className: "remedy", tabindex: 0 }, ...commandWords(remedy)));
        }
        return box.childNodes.length ? box : null;
    }

    function factList(record) {
        const list = make("dl");
        const add = (term, value) => {
            if (value) list.append(make("div", {}, make("dt", { text: term }), make("dd", { dir: "auto" }, value)));
        };
        const text = (value) => value ? document.createTextNode(value) : null;
        add("Damaged", record.state === "done" && record.cause ? text(record.cause) : null);
        add("State", record.state === "done" ? null : text(`${labels[record.state]}${record.cause ? ` (${record.cause})` : ""}`));
        // The labelled photo fields; the list is generated from the fields themselves.
        for (const field of sluice.fields) {
            const value = record[field.name];
            const address = field.link && record[field.link];
            if (address) add(field.label, link(value || address, address));
            else if (value !== undefined) add(field.label, text(String(field.isDate ? day(value) : value)));
        }
        add("Size", text(size(record) && `${size(record)} pixels`));
        add("File", record.bytes === undefined ? null : text([record.format?.toUpperCase(), bytes(record.bytes)].filter(Boolean).join(", ")));
        add("ID", text(record.id));
        return list.childNodes.length ? list : null;
    }

    function showFacts(record) {
        const caption = make("h2", { id: "detail-title", text: name(record), dir: "auto" });
        if (name(record).length > 140) caption.className = "long";
        const by = record.author ? make("p", { className: "by" }, link(record.author, record.author_url)) : null;
        const links = make("div", { className: "links" });
        if (record.file) links.append(make("a", record.download
            ? { href: record.file, text: "Download original", download: "" }
            : { href: record.file, text: "Original", target: "_blank", rel: "noopener" }));
        if (record.page_url) links.append(link("Photo page", record.page_url));
        const rest = [failureBox(record), factList(record), links.childNodes.length ? links : null].filter(Boolean);
        const length = sluice.grid.length;
        const position = shownAt < 0 ? "" : `${grouped(shownAt + 1)} of ${grouped(length)}`;
        sheet.replaceChildren(caption, ...(by ? [by] : []), ...rest, make("p", { className: "place", text: position }));
        sheet.scrollTop = 0;
    }

    function showNotFound(seq) {
        stage.className = "stage bare";
        stage.replaceChildren(icon("skipped"), make("b", { text: "Photo not found" }));
        sheet.replaceChildren(make("h2", { id: "detail-title", text: `Photo ${seq}` }),
            make("p", { className: "by", text: "This gallery has no photo with this number." }));
    }

    async function open(seq) {
        shownSeq = seq;
        if (!dialog.open) dialog.showModal();
        stage.focus({ preventScroll: true });
        const ordinal = data.ordinal(seq);
        shownAt = ordinal < 0 ? -1 : sluice.grid.view.placeOf(ordinal);
        buttons.previous.disabled = shownAt <= 0;
        buttons.next.disabled = shownAt < 0 || shownAt >= sluice.grid.length - 1;
        if (ordinal < 0) return showNotFound(seq);
        const record = await data.record(ordinal).catch(() => undefined);
        if (seq !== shownSeq) return;
        if (!record) return sluice.showLoadError(`gallery/data/${data.chunkOf(ordinal) + 1}.js`);
        showPicture(record);
        showFacts(record);
        document.title = `${name(record)} · ${sluice.title}`;
        preload(shownAt + 1);
    }

    // Loads and decodes a photo before it is shown.
    async function preload(at) {
        if (at < 1 || at >= sluice.grid.length) return;
        const record = await data.record(sluice.grid.view.at(at)).catch(() => undefined);
        if (record?.thumbs) new Image().src = shownFile(record) || record.thumbs[record.thumbs.length - 1].file;
    }

    function close() {
        if (shownSeq === null) return;
        const at = shownAt;
        shownSeq = null;
        unzoom();
        if (dialog.open) dialog.close();
        stage.replaceChildren();
        document.title = sluice.title;
        if (at >= 0) sluice.grid.focus(at);
    }

    function step(by) {
        const at = shownAt + by;
        if (shownAt < 0 || at < 0 || at >= sluice.grid.length) return;
        sluice.go({ ...sluice.current, photo: data.seq(sluice.grid.view.at(at)) }, true);
    }

    function unzoom() {
        stage.classList.remove("zoomed", "dragging");
        for (const picture of stage.querySelectorAll("img")) picture.style.width = "";
    }

    // Toggles between fitting the photo to the window and full size, centred on a point (shares of width and height).
    // A small photo is enlarged to twice the size that fits.
    function zoom(x = 0.5, y = 0.5) {
        const picture = stage.querySelector(".sharp");
        if (stage.classList.contains("zoomed")) return unzoom();
        if (!picture?.naturalWidth) return;
        const { naturalWidth, naturalHeight } = picture;
        const fit = Math.min(stage.clientWidth / naturalWidth, stage.clientHeight / naturalHeight);
        picture.style.width = `${Math.round(naturalWidth * Math.max(1, 2 * fit))}px`;
        stage.classList.add("zoomed");
        stage.scrollTo((stage.scrollWidth - stage.clientWidth) * x, (stage.scrollHeight - stage.clientHeight) * y);
    }

    // Keep the wheel from scrolling the page behind the dialog.
    dialog.addEventListener("wheel", (event) => {
        const scrolls = event.target.closest(".sheet, .zoomed");
        if (!event.ctrlKey && !(scrolls && scrolls.scrollHeight > scrolls.clientHeight)) event.preventDefault();
    }, { passive: false });

    let press = null;
    stage.addEventListener("pointerdown", (event) => {
        press = { x: event.clientX, y: event.clientY, left: stage.scrollLeft, top: stage.scrollTop, moved: false };
        if (event.pointerType === "mouse") stage.setPointerCapture(event.pointerId);
    });
    stage.addEventListener("pointermove", (event) => {
        if (!press) return;
        const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
        if (Math.hypot(dx, dy) > 8) press.moved = true;
        if (!press.moved || event.pointerType !== "mouse" || !stage.classList.contains("zoomed")) return;
        stage.classList.add("dragging");
        stage.scrollTo(press.left - dx, press.top - dy);
    });
    stage.addEventListener("pointerup", (event) => {
        if (!press) return;
        const { x, y, moved } = press;
        press = null;
        stage.classList.remove("dragging");
        const [dx, dy] = [event.clientX - x, event.clientY - y];
        const box = stage.getBoundingClientRect();
        if (!moved) zoom((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
        else if (!stage.classList.contains("zoomed") && Math.abs(dx) > 48 && Math.abs(dx) > 1.5 * Math.abs(dy)) step(dx < 0 ? 1 : -1);
    });
    stage.addEventListener("pointercancel", () => { press = null; });

    // A browser closes the dialog without a choice if the user has done nothing but press Escape; `close` follows.
    dialog.addEventListener("cancel", (event) => {
        if (!event.cancelable) return;
        event.preventDefault();
        if (stage.classList.contains("zoomed")) unzoom(); else sluice.leave();
    });
    // The event is asynchronous: the dialog may be open again by now.
    dialog.addEventListener("close", () => { if (shownSeq !== null && !dialog.open) sluice.leave(); });
    dialog.addEventListener("keydown", (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const scrolls = stage.classList.contains("zoomed");
        if (event.key === "ArrowLeft" && !scrolls) step(-1);
        else if (event.key === "ArrowRight" && !scrolls) step(1);
        else if (event.key === "z") zoom();
        else return;
        event.preventDefault();
    });
    document.getElementById("close").addEventListener("click", () => sluice.leave());
    buttons.previous.addEventListener("click", () => step(-1));
    buttons.next.addEventListener("click", () => step(1));

    return { open, close, get isOpen() { return dialog.open; } };
})();
