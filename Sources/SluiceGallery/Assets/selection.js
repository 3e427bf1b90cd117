// SPDX-License-Identifier: MIT

// Selects photos in the grid or table.
sluice.selection = (() => {
    const { make, set, grouped } = sluice.tiles;
    const { grid, data } = sluice;
    const { container } = grid;
    // Photos are selected, collections are not.
    const placeOf = (element) => grid.view.collections ? -1 : grid.placeOf(element);
    const toggleButton = document.getElementById("select");
    const bar = document.getElementById("selection");
    const count = document.getElementById("selection-count");
    const status = document.getElementById("selection-status");
    // The sequence numbers of the selected photos.
    const chosen = new Set();
    let isOn = false;
    // The photo that a range starts from.
    let last = -1;

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

    const whileOn = (action) => () => isOn ? action() : false;
    sluice.bindKeys(document, "Selection", [
        ["Space", "Select the photo; with Shift, all from the last one", ({ target, shiftKey }) => {
            const at = placeOf(target);
            return at < 0 ? false : choose(at, shiftKey);
        }],
        ["Ctrl+a", "Select all", whileOn(() => chooseAll())], ["Escape", "End the selection", whileOn(() => turn(false))],
    ]);

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

    // Pages from file:// may not read files.
    bar.querySelector("[data-action=download]").hidden = location.protocol === "file:";
    let isBusy = false;
    bar.addEventListener("click", async (event) => {
        const action = event.target.closest("button")?.dataset.action;
        if (action === "all") return chooseAll();
        if (action === "done") { turn(false); return toggleButton.focus(); }
        if (!action || isBusy) return;
        isBusy = true;
        status.textContent = "…";
        const run = async () => { await sluice.loadDetail(); return sluice.actions[action](records, (text) => { status.textContent = text; }); };
        status.textContent = await run().catch((error) => error.name === "AbortError" ? "" : error.message);
        isBusy = false;
    });
    toggleButton.addEventListener("click", () => turn(!isOn));

    return { end: () => turn(false), update, ordinals: () => [...chosen].sort((a, b) => a - b).map(data.ordinal).filter((at) => at >= 0) };
})();
