// SPDX-License-Identifier: MIT

// The detail view: a dialog with one photo, which has its own URL.
sluice.detail = (() => {
    const { make, set, link, actionButton, copied, command, commandWords, name, stars, labels, grouped, size, bytes, day, shownFile, localFile, shortName, accessibleName } = sluice.tiles;
    const data = sluice.data;
    const dialog = document.getElementById("detail");
    const stage = sluice.stage;
    const sheet = document.getElementById("sheet");
    const announcement = document.getElementById("announcement");
    const buttons = { previous: document.getElementById("previous"), next: document.getElementById("next") };
    let shownSeq = null;
    let shownAt = -1;

    // Why the picture is missing, and the command that may download it.
    function failureBox(record) {
        if (record.state === "done" && record.thumbs) return null;
        const box = make("div", { className: "why" });
        if (record.detail) box.append(make("p", { text: record.detail, dir: "auto" }));
        const remedy = command(record);
        if (remedy) {
            const aims = { pending: "To resume", done: "To make its thumbnail" };
            box.append(make("p", { text: `${aims[record.state] || "To retry"}, run in this folder:` }),
                make("pre", { className: "remedy", tabindex: 0 }, ...commandWords(remedy)));
        }
        return box.childNodes.length ? box : null;
    }

    // Draws some pixels of the smallest thumbnail. Smoothing would mix colours that the picture lacks.
    async function sample(record) {
        const canvas = make("canvas", { width: 64, height: 64 });
        const context = canvas.getContext("2d");
        const picture = make("img", { src: record.thumbs[0].file });
        await picture.decode();
        context.imageSmoothingEnabled = false;
        context.drawImage(picture, 0, 0, 64, 64);
        return canvas;
    }

    const pixels = (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;

    // The main colours. Browsers do not let a page from file:// read the pixels of any picture, so the blurred
    // placeholder replaces the thumbnail there, although the picture may lack its mixed colours.
    function colors(record) {
        if (!record.thumbs) return null;
        const strip = make("span", { className: "palette" });
        sample(record).then(pixels).catch(() => pixels(sluice.placeholder(record.placeholder))).then((read) => {
            const found = sluice.palette(read, 6);
            set(strip, { role: "img", "aria-label": found.join(", "), title: found.join("  ") });
            for (const color of found) strip.appendChild(make("i")).style.background = color;
        }).catch(() => strip.closest("div").remove());
        return strip;
    }

    // Passes the photo's page to the system's share dialog, or copies its address. Other machines cannot open a file:
    // address.
    async function share(record) {
        const url = record.page_url || (location.protocol === "file:" ? record.url : location.href);
        const text = sluice.texts.credit(record);
        if (!url || !navigator.share) return copied(url || text);
        await navigator.share({ title: name(record), text, url });
        return "";
    }

    // The facts that the camera recorded, by the names of EXIF's tags.
    function exif(record) {
        try { return JSON.parse(record.exif || "{}"); } catch { return {}; }
    }

    // The camera's model, which often begins with its maker, and the lens.
    function camera({ Make: maker = "", Model: model = "" }) {
        const first = String(maker).split(" ")[0];
        return String(model).toLowerCase().startsWith(first.toLowerCase()) ? model : `${maker} ${model}`.trim();
    }

    function exposure(facts) {
        const { ExposureTime: time, FNumber: aperture, ISOSpeedRatings: speed, FocalLength: length } = facts;
        const [part, whole] = String(time || "").split("/").map(Number);
        // Cameras also write 10/2500 and 30/1.
        const seconds = part && whole && (part >= whole ? `${Math.round(10 * part / whole) / 10} s` : `1/${Math.round(whole / part)} s`);
        return [seconds, aperture && `f/${aperture}`, speed && `ISO ${speed}`, length && `${length} mm`].filter(Boolean).join(", ");
    }

    // The coordinates, and a map of the world with a dot there.
    function place({ GPSLatitude: latitude, GPSLongitude: longitude }) {
        if (!latitude || !longitude) return null;
        const dot = make("i");
        dot.style.left = `${(Number(longitude) + 180) / 3.6}%`;
        dot.style.top = `${(90 - Number(latitude)) / 1.8}%`;
        return make("div", { className: "map" }, document.createTextNode(`${latitude}, ${longitude}`),
            make("span", {}, make("img", { src: "gallery/world.png", alt: "" }), dot));
    }

    // An ID; an address or another long one is shown in full only on request.
    function identifier(id) {
        const longest = 48;
        if (!id || id.length <= longest) return id ? document.createTextNode(id) : null;
        const parts = id.replace(/^[a-z]+:\/\//i, "").split("/").filter(Boolean);
        const ends = parts.length > 2 ? `${parts[0]}/…/${parts[parts.length - 1]}` : parts.join("/");
        const short = ends.length > longest ? `${ends.slice(0, longest - 1)}…` : ends;
        return make("details", {}, make("summary", { text: short }), link(id, id));
    }

    // The names and texts of an object's members.
    function members(json) {
        const plain = (value) => Array.isArray(value) ? value.map(plain).join(", ")
            : typeof value === "object" ? JSON.stringify(value) : String(value);
        // Integers that a number would round keep their digits.
        const exact = (name, value, context) =>
            Number.isInteger(value) && !Number.isSafeInteger(value) && context ? context.source : value;
        try {
            return Object.entries(JSON.parse(json, exact)).map(([name, value]) => [name, plain(value)]);
        } catch {
            return [];
        }
    }

    function factList(record) {
        const list = make("dl");
        const add = (term, value) => {
            if (value) list.append(make("div", {}, make("dt", { text: term }), make("dd", { dir: "auto" }, value)));
        };
        const text = (value) => value ? document.createTextNode(value) : null;
        add(record.thumbs ? "Damaged" : "No picture", record.state === "done" && record.cause ? text(record.cause) : null);
        add("State", record.state === "done" ? null : text(`${labels[record.state]}${record.cause ? ` (${record.cause})` : ""}`));
        // The labelled photo fields; the list is generated from the fields themselves.
        add("Rating", text(stars(record)));
        add("Original caption", record.user_caption ? text(record.caption) : null);
        for (const field of sluice.fields) {
            const value = record[field.name];
            const address = field.link && record[field.link];
            if (address) add(field.label, link(value || address, address));
            else if (field.isObject) for (const [name, part] of members(value)) add(name, text(part));
            else if (value !== undefined) add(field.label, text(String(field.isDate ? day(value) : value)));
        }
        add("Use", text(record.usage));
        const facts = exif(record);
        add("Taken", text(facts.DateTimeOriginal && String(facts.DateTimeOriginal).replace(/^(\d+):(\d+):/, "$1-$2-")));
        if (record.camera === undefined) add("Camera", text(camera(facts)));
        add("Lens", text(facts.LensModel));
        add("Exposure", text(exposure(facts)));
        add("Place", place(facts));
        add("Size", text(size(record) && `${size(record)} pixels`));
        add("File", record.bytes === undefined ? null : text([record.format?.toUpperCase(), bytes(record.bytes)].filter(Boolean).join(", ")));
        add("Colours", colors(record));
        add("ID", identifier(record.id));
        return list.childNodes.length ? list : null;
    }

    // Lists the photos that look like this one.
    async function showSimilar(record, list) {
        const places = await sluice.similar.find(data.ordinal(record.seq));
        const others = (await Promise.all(places.map((place) => data.record(place)))).filter((other) => other.thumbs);
        list.replaceChildren(...others.map((other) => {
            const route = { ...sluice.current, photo: other.seq };
            const anchor = make("a", { href: sluice.route.format(route), title: name(other) },
                make("img", { src: other.thumbs[0].file, alt: name(other), decoding: "async" }));
            anchor.addEventListener("click", (event) => {
                if (sluice.hasModifier(event)) return;
                event.preventDefault();
                sluice.go(route, true);
            });
            return anchor;
        }), ...(others.length ? [make("p", { text: "Copies come first, then photos of a similar composition and colour." })] : []));
        return others.length ? "" : "None found";
    }

    // A button that shows all of a long caption, which would push the facts away.
    function expander(caption) {
        const button = make("button", { type: "button", className: "more", "aria-controls": caption.id });
        const clip = (isClipped) => {
            caption.classList.toggle("clipped", isClipped);
            set(button, { "aria-expanded": !isClipped });
            button.textContent = isClipped ? "Show the whole caption" : "Show less";
        };
        button.addEventListener("click", () => clip(!caption.classList.contains("clipped")));
        clip(true);
        return button;
    }

    function showFacts(record) {
        const caption = make("h2", { id: "detail-title", text: name(record), dir: "auto" });
        if (name(record).length > 140) caption.className = "long";
        const more = name(record).length > 320 ? expander(caption) : null;
        const by = record.author ? make("p", { className: "by" }, link(record.author, record.author_url)) : null;
        const alike = make("div", { className: "similar" });
        const links = make("div", { className: "links" },
            record.file && make("a", record.download
                ? { href: record.file, text: "Download original", download: "" }
                : { href: record.file, text: "Original", target: "_blank", rel: "noopener" }),
            !record.file && localFile(record)
                && make("a", { href: localFile(record), text: "Original on this disk", target: "_blank", rel: "noopener" }),
            record.page_url ? link("Photo page", record.page_url) : record.url && link("Source", record.url),
            actionButton("Share", () => share(record)), actionButton("Copy credit", () => copied(sluice.texts.credit(record))),
            record.thumbs && actionButton("Similar photos", () => showSimilar(record, alike)));
        const position = shownAt < 0 ? "" : `${grouped(shownAt + 1)} of ${grouped(sluice.grid.length)}`;
        sheet.replaceChildren(...[
            handle, caption, more, by, sluice.edit?.controls(record), failureBox(record), factList(record), links, alike, make("p", { className: "place", text: position }),
        ].filter(Boolean));
        sheet.scrollTop = 0;
        announcement.textContent = [accessibleName(record), position].filter(Boolean).join(", ");
    }

    const setTitle = (text) => { document.title = `${text} · ${sluice.title}`; };

    function showNotFound(seq) {
        setTitle(`Photo ${seq}`);
        stage.showMessage("Photo not found", "skipped");
        sheet.replaceChildren(handle, make("h2", { id: "detail-title", text: `Photo ${seq}` }),
            make("p", { className: "by", text: "This gallery has no photo with this number." }));
    }

    const focusStage = () => stage.element.focus({ preventScroll: true });

    // Leaves the focus on a button, so that it can be pressed again, unless the button is disabled or gone.
    function keepFocus() {
        if (!dialog.contains(document.activeElement) || document.activeElement.disabled) focusStage();
    }

    async function open(seq) {
        const isShown = seq === shownSeq;
        shownSeq = seq;
        const wasOpen = dialog.open;
        if (!wasOpen) dialog.showModal();
        const ordinal = data.ordinal(seq);
        shownAt = ordinal < 0 ? -1 : sluice.grid.view.placeOf(ordinal);
        buttons.previous.disabled = shownAt <= 0;
        buttons.next.disabled = shownAt < 0 || shownAt >= sluice.grid.length - 1;
        if (wasOpen) keepFocus();
        else focusStage();
        if (ordinal < 0) return showNotFound(seq);
        const record = await data.record(ordinal).catch(() => undefined);
        if (seq !== shownSeq) return;
        if (!record) return sluice.showLoadError(`gallery/data/${data.chunkOf(ordinal) + 1}.js`);
        if (!isShown) stage.show(record);
        showFacts(record);
        keepFocus();
        setTitle(shortName(record));
        preload();
        schedule();
    }

    // The pictures of the next and the previous photo, which are loaded before they are shown.
    const neighbours = new Map();
    async function preload() {
        const wanted = new Set();
        for (const at of [shownAt + 1, shownAt - 1]) {
            if (shownAt < 0 || at < 0 || at >= sluice.grid.length) continue;
            const record = await data.record(sluice.grid.view.at(at)).catch(() => undefined);
            if (!record?.thumbs) continue;
            const address = shownFile(record) || record.thumbs[record.thumbs.length - 1].file;
            wanted.add(address);
            if (neighbours.has(address)) continue;
            const picture = new Image();
            picture.src = address;
            neighbours.set(address, picture);
        }
        for (const address of neighbours.keys()) if (!wanted.has(address)) neighbours.delete(address);
    }

    function close() {
        if (shownSeq === null) return;
        const at = shownAt;
        shownSeq = null;
        play(false);
        showSheet(false);
        if (dialog.open) dialog.close();
        stage.clear();
        document.title = sluice.title;
        if (at >= 0) sluice.grid.focus(at);
    }

    function step(by) {
        const at = shownAt + by;
        if (shownAt < 0 || at < 0 || at >= sluice.grid.length) return;
        sluice.go({ ...sluice.current, photo: data.seq(sluice.grid.view.at(at)) }, true);
    }

    // On a phone the photo has the whole screen, and the facts come over it on request.
    const info = document.getElementById("info");
    const handle = make("button", { type: "button", className: "handle", "aria-label": "Hide the facts" });
    const isCompact = () => getComputedStyle(info).display !== "none";
    const isSheetShown = () => dialog.classList.contains("facts");
    function showSheet(on, movesFocus = false) {
        dialog.classList.toggle("facts", on);
        info.setAttribute("aria-expanded", String(on));
        if (movesFocus && isCompact()) (on ? handle : info).focus({ preventScroll: true });
    }
    info.addEventListener("click", () => showSheet(true, true));
    handle.addEventListener("click", () => showSheet(false, true));
    let touched = null;
    sheet.addEventListener("touchstart", (event) => { touched = sheet.scrollTop > 0 ? null : event.touches[0].clientY; }, { passive: true });
    sheet.addEventListener("touchend", (event) => {
        if (touched !== null && event.changedTouches[0].clientY - touched > 60) showSheet(false);
    });

    const swipes = {
        next: () => step(1), previous: () => step(-1), facts: () => showSheet(isCompact()),
        close: () => isSheetShown() ? showSheet(false) : sluice.leave(),
    };
    stage.onSwipe = (direction) => swipes[direction]();
    stage.onTap = () => showSheet(false);

    // The slideshow shows the next photo a while after the last one has loaded, and ends with the view's last photo.
    const playButton = document.getElementById("play");
    const showFor = 4000;
    let timer = 0;
    const isPlaying = () => dialog.classList.contains("playing");
    function play(on) {
        clearTimeout(timer);
        dialog.classList.toggle("playing", on);
        if (on) showSheet(false);
        playButton.setAttribute("aria-pressed", String(on));
        playButton.querySelector("use").setAttribute("href", on ? "#icon-pause" : "#icon-play");
        if (on) schedule();
    }
    function schedule() {
        clearTimeout(timer);
        if (!isPlaying()) return;
        if (buttons.next.disabled) return play(false);
        timer = setTimeout(() => { if (stage.isLoading) schedule(); else step(1); }, showFor);
    }
    playButton.addEventListener("click", () => play(!isPlaying()));

    // A browser closes the dialog without a choice if the user has done nothing but press Escape; `close` follows.
    dialog.addEventListener("cancel", (event) => {
        if (!event.cancelable) return;
        event.preventDefault();
        if (isPlaying()) play(false);
        else if (isSheetShown()) showSheet(false, true);
        else if (stage.isZoomed) stage.reset();
        else sluice.leave();
    });
    // The event is asynchronous: the dialog may be open again by now.
    dialog.addEventListener("close", () => { if (shownSeq !== null && !dialog.open) sluice.leave(); });
    sluice.bindKeys(dialog, "Open photo", [
        ...stage.keys,
        ["ArrowLeft", "Previous photo", () => step(-1)], ["ArrowRight", "Next photo", () => step(1)],
        ["p", "Slideshow", () => play(!isPlaying())],
        ["i", "Facts, in a small window", () => showSheet(isCompact() && !isSheetShown(), true)],
        ["Escape", "Back"], ["?", "Keys", () => sluice.help()],
    ]);
    document.getElementById("close").addEventListener("click", () => sluice.leave());
    buttons.previous.addEventListener("click", () => step(-1));
    buttons.next.addEventListener("click", () => step(1));

    return { open, close, get isOpen() { return dialog.open; } };
})();
