// SPDX-License-Identifier: MIT

// Selects photos in the grid or table, and downloads or copies what belongs to them.
sluice.selection = (() => {
    const { make, set, grouped } = sluice.tiles;
    const { grid, data, texts } = sluice;
    const { container, placeOf } = grid;
    const toggleButton = document.getElementById("select");
    const bar = document.getElementById("selection");
    const count = document.getElementById("selection-count");
    const status = document.getElementById("selection-status");
    // The sequence numbers of the selected photos.
    const chosen = new Set();
    let isOn = false;
    // The photo that a range starts from.
    let last = -1;
    // Archives of more bytes are written to a file the user chooses while they grow, if the browser can.
    const maxInMemory = 256e6;

    const seqAt = (at) => data.seq(grid.view.at(at));

    function mark(element) {
        const anchor = element.querySelector("a");
        if (!anchor) return;
        const isChosen = isOn && chosen.has(seqAt(Number(element.dataset.place)));
        element.classList.toggle("chosen", isChosen);
        set(anchor, isOn ? { role: "checkbox", "aria-checked": isChosen } : { role: null, "aria-checked": null });
    }
    grid.onFill = (element) => { if (isOn) mark(element); };

    function update() {
        for (const element of container.querySelectorAll("[data-place]")) mark(element);
        document.body.classList.toggle("selecting", isOn);
        set(toggleButton, { "aria-pressed": isOn });
        bar.hidden = !isOn;
        count.textContent = chosen.size === 1 ? "1 selected" : `${grouped(chosen.size)} selected`;
        for (const button of bar.querySelectorAll("[data-needs]")) button.disabled = chosen.size === 0;
    }

    function turn(on) {
        isOn = on;
        last = -1;
        chosen.clear();
        status.textContent = "";
        update();
    }

    function choose(at, isRange = false) {
        const seq = seqAt(at);
        if (isRange && last >= 0) {
            for (let i = Math.min(at, last); i <= Math.max(at, last); i++) chosen.add(seqAt(i));
        } else if (!chosen.delete(seq)) {
            chosen.add(seq);
        }
        last = at;
        isOn = true;
        status.textContent = "";
        update();
    }

    let pressTimer = 0;
    let isLongPress = false;
    container.addEventListener("click", (event) => {
        const at = placeOf(event.target);
        const wasLong = isLongPress;
        isLongPress = false;
        if (at < 0 || event.button || sluice.hasModifier(event)) return;
        if (!wasLong && !isOn && !event.shiftKey) return;
        event.preventDefault();
        event.stopPropagation();
        if (!wasLong) choose(at, event.shiftKey);
    }, { capture: true });

    const endPress = () => clearTimeout(pressTimer);
    container.addEventListener("pointerdown", (event) => {
        endPress();
        isLongPress = false;
        const at = placeOf(event.target);
        if (event.pointerType === "mouse" || at < 0) return;
        pressTimer = setTimeout(() => { isLongPress = true; choose(at, isOn); }, 500);
    });
    for (const name of ["pointerup", "pointercancel"]) container.addEventListener(name, endPress);
    // The browser's own menu for a long press would cover the photo.
    container.addEventListener("contextmenu", (event) => {
        if (event.pointerType === "touch" && placeOf(event.target) >= 0) event.preventDefault();
    });
    // A shift-click would select text.
    container.addEventListener("mousedown", (event) => { if (event.shiftKey && placeOf(event.target) >= 0) event.preventDefault(); });

    document.addEventListener("keydown", (event) => {
        if (sluice.detail?.isOpen || event.target.closest("input, select")) return;
        const at = placeOf(event.target);
        if (event.key === " " && at >= 0) choose(at, event.shiftKey);
        else if (event.key === "Escape" && isOn) turn(false);
        else if (isOn && event.key === "a" && (event.ctrlKey || event.metaKey)) chooseAll();
        else return;
        event.preventDefault();
    });

    function chooseAll() {
        for (let at = 0; at < grid.length; at++) chosen.add(seqAt(at));
        update();
    }

    // The records of the selected photos in the order of the gallery, which loads each chunk once.
    async function* records() {
        for (const seq of [...chosen].sort((a, b) => a - b)) {
            const ordinal = data.ordinal(seq);
            const record = ordinal < 0 ? undefined : await data.record(ordinal);
            if (record) yield record;
        }
    }

    async function list(text) {
        const lines = [];
        for await (const record of records()) {
            const line = text(record);
            if (line !== undefined) lines.push(line);
        }
        return lines;
    }

    // Copies a text; the older way also works on pages that are not from a secure origin.
    async function copy(text) {
        try {
            await navigator.clipboard.writeText(text);
        } catch {
            const area = make("textarea", { className: "leap" });
            area.value = text;
            (document.querySelector("dialog[open]") || document.body).append(area);
            area.select();
            const isCopied = document.execCommand("copy");
            area.remove();
            if (!isCopied) throw new Error("The browser does not allow copying.");
        }
    }

    const said = (number, one, many) => `Copied ${number === 1 ? `1 ${one}` : `${grouped(number)} ${many}`}.`;
    const original = (record) => record.file ? texts.file(record) : undefined;

    async function copyLines(text, one, many) {
        const lines = await list(text);
        await copy(`${lines.join("\n")}\n`);
        return said(lines.length, one, many);
    }

    async function copyCommand() {
        const found = await list((record) => record.url ? record : undefined);
        if (!found.length) return "The selected photos have no web address.";
        await copy(texts.command(found));
        return `Copied a command for ${found.length === 1 ? "1 photo" : `${grouped(found.length)} photos`}.`;
    }

    async function download() {
        const files = [];
        let bytes = 0;
        for await (const record of records()) {
            if (!record.file) continue;
            files.push({ name: texts.file(record).replace(/^originals\//, ""), address: record.file });
            bytes += record.bytes;
        }
        if (!files.length) return "The selected photos have no originals.";
        if (!sluice.zip) await data.script("gallery/zip.js");
        const isStreamed = bytes > maxInMemory && "showSaveFilePicker" in window;
        const target = isStreamed
            ? await (await showSaveFilePicker({ suggestedName: "photos.zip" })).createWritable() : null;
        const parts = [];
        let done = 0;
        const read = async ({ address }) => {
            const reply = await fetch(address);
            if (!reply.ok) throw new Error(`Cannot load ${address}: ${reply.status}`);
            status.textContent = `${grouped(++done)} of ${grouped(files.length)} …`;
            return new Uint8Array(await reply.arrayBuffer());
        };
        // A blob lets the browser keep the bytes on disk.
        const write = target ? (part) => target.write(part) : (part) => { parts.push(new Blob([part])); };
        try {
            await sluice.zip.archive(files, read, write);
        } catch (error) {
            await target?.abort();
            throw error;
        }
        if (target) await target.close(); else save(new Blob(parts, { type: "application/zip" }));
        return files.length === 1 ? "1 original in photos.zip." : `${grouped(files.length)} originals in photos.zip.`;
    }

    function save(blob) {
        const address = URL.createObjectURL(blob);
        make("a", { href: address, download: "photos.zip" }).click();
        setTimeout(() => URL.revokeObjectURL(address), 60_000);
    }

    const actions = {
        download, command: copyCommand,
        credits: () => copyLines(texts.credit, "credit", "credits"),
        files: () => copyLines(original, "file name", "file names"),
    };
    // Pages from file:// may not read files.
    bar.querySelector("[data-action=download]").hidden = location.protocol === "file:";
    let isBusy = false;
    bar.addEventListener("click", async (event) => {
        const action = event.target.closest("button")?.dataset.action;
        if (action === "all") return chooseAll();
        if (action === "done") { turn(false); return toggleButton.focus(); }
        if (!actions[action] || isBusy) return;
        isBusy = true;
        status.textContent = "…";
        status.textContent = await actions[action]().catch((error) => error.name === "AbortError" ? "" : error.message);
        isBusy = false;
    });
    toggleButton.addEventListener("click", () => turn(!isOn));

    return { copy, get isOn() { return isOn; } };
})();
