// SPDX-License-Identifier: MIT

// A rail at the right edge of the window, which shows where in the view the window is, and scrolls when it is dragged.
(() => {
    const { make, set, grouped, other } = sluice.tiles;
    const { grid, data } = sluice;
    const rail = document.getElementById("scrubber");
    const tools = document.getElementById("tools");
    const knob = rail.querySelector(".knob");
    const label = rail.querySelector(".label");
    const ticks = rail.querySelector(".ticks");
    // The distance between two ticks in pixels.
    const spacing = 36;
    const compact = new Intl.NumberFormat("en", { notation: "compact" });
    let isDragging = false;
    let hideTimer = 0;

    // The section of a place: a date, a collection or nothing.
    function section(at) {
        if (grid.view.collections) return grid.view.collections[at].name || other;
        const found = sluice.lastAtOrBefore(grid.view.sections, at);
        return found ? found.name || other : "";
    }

    // The month of a photo; empty in orders in which neighbours are not close in time.
    function month(at) {
        if (/^(name|largest|smallest)$/.test(sluice.current.sort)) return "";
        const key = sluice.dates.key(data.index.dates[grid.view.at(at)], "month");
        return key ? sluice.dates.name(key) : "";
    }

    const position = (at) => `${grouped(at + 1)} of ${grouped(grid.length)}`;
    const place = (at) => [section(at) || month(at), position(at)].filter(Boolean).join(" · ");

    // The short text of a tick: a year, or the beginning of the collection's name, or a position.
    function tick(at) {
        const name = section(at);
        const year = sluice.dates.key(data.index.dates[grid.view.at(at)], "year");
        if (/^(newest|oldest)$/.test(sluice.current.sort)) return year || "–";
        return name ? name.slice(0, 12) : compact.format(at + 1);
    }

    function drawTicks() {
        const height = rail.clientHeight;
        const marks = [];
        let last = "";
        for (let y = spacing / 2; y < height - spacing / 2; y += spacing) {
            const text = tick(grid.placeAt(y / height));
            if (text === last) continue;
            last = text;
            const mark = make("span", { text, dir: "auto" });
            mark.style.top = `${y}px`;
            marks.push(mark);
        }
        ticks.replaceChildren(...marks);
    }

    function draw() {
        if (rail.hidden) return;
        const share = grid.share();
        const at = grid.placeAt(share);
        knob.style.top = `${share * 100}%`;
        label.textContent = place(at);
        set(rail, { "aria-valuenow": at + 1, "aria-valuetext": place(at) });
    }

    // Shows the rail for a while after each movement; a mouse over the rail keeps it.
    function wake() {
        rail.classList.add("awake");
        clearTimeout(hideTimer);
        hideTimer = setTimeout(() => rail.classList.remove("awake"), 1500);
    }

    function layOut() {
        rail.hidden = !grid.isLong;
        if (rail.hidden) return;
        rail.style.top = `${tools.offsetHeight + 12}px`;
        rail.setAttribute("aria-valuemax", grid.length);
        drawTicks();
        draw();
    }

    function follow(event) {
        const box = rail.getBoundingClientRect();
        grid.scrollToShare(sluice.clamp(0, (event.clientY - box.top) / box.height, 1));
        draw();
        wake();
    }
    rail.addEventListener("pointerdown", (event) => {
        if (event.button) return;
        event.preventDefault();
        isDragging = true;
        rail.classList.add("dragging");
        rail.setPointerCapture(event.pointerId);
        follow(event);
    });
    rail.addEventListener("pointermove", (event) => { if (isDragging) follow(event); });
    for (const name of ["pointerup", "pointercancel"]) {
        rail.addEventListener(name, () => {
            isDragging = false;
            rail.classList.remove("dragging");
        });
    }

    const steps = { ArrowUp: -0.01, ArrowDown: 0.01, PageUp: -0.1, PageDown: 0.1, Home: -1, End: 1 };
    sluice.bindKeys(rail, "Position", [[Object.keys(steps).join(" "), "Scroll", ({ key }) => {
        grid.scrollToShare(sluice.clamp(0, grid.share() + steps[key], 1));
        draw();
    }]]);

    addEventListener("scroll", () => { draw(); if (!rail.hidden) wake(); }, { passive: true });
    addEventListener("resize", layOut);
    new ResizeObserver(layOut).observe(tools);
    grid.onLayout = layOut;
})();
