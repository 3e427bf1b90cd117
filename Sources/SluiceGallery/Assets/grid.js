// SPDX-License-Identifier: MIT

// The rows in view, and no others; and where the page stands.
sluice.grid = (() => {
    const { make, tile, fill, heading, line } = sluice.tiles;
    const data = sluice.data;
    const container = document.getElementById("grid");
    let view = { length: 0, sections: [] };
    let rows = sluice.layout.table(view);
    let scale = sluice.layout.scale(0, 0);
    let isTable = false;
    let width = 0;
    // What is between the page's own position and the view's; nothing but in views higher than browsers allow.
    let shift = 0;
    let lastY = 0;
    let current = 0;
    let isPrinting = false;
    const present = new Map();
    const waiting = new Map();

    const pageTop = () => container.getBoundingClientRect().top + scrollY;
    const toolsHeight = () => document.getElementById("tools").offsetHeight;
    const viewY = () => scrollY - pageTop() + shift;

    function place(element, row) {
        element.style.top = `${rows.tops[row] - shift}px`;
    }

    function build(row) {
        const element = make("div", { className: "row", role: "presentation" });
        element.style.height = `${rows.heights[row]}px`;
        const title = rows.headings.get(row);
        if (title) {
            element.classList.add("heading");
            element.append(...heading(title));
        } else if (isTable) {
            element.className = "row line";
            element.setAttribute("role", "row");
            element.setAttribute("aria-rowindex", rows.starts[row] + 1);
            element.dataset.place = rows.starts[row];
            whenKnown(rows.starts[row], element, (record) => line(element, record));
        } else {
            element.style.gap = `${rows.gap}px`;
            buildTiles(element, row);
        }
        place(element, row);
        return element;
    }

    function buildTiles(element, row) {
        let edge = 0;
        for (let at = rows.starts[row]; at < rows.ends[row]; at++) {
            const aspect = sluice.layout.shown(data.index.aspects[view.at(at)]);
            const left = Math.round(edge);
            edge += aspect * rows.exact[row];
            const across = Math.round(edge) - left;
            const made = tile(at, view.length, across, rows.heights[row], aspect);
            element.append(made);
            whenKnown(at, made, (record) => fill(made, record, across));
        }
    }

    // Fills an element as soon as its record is there, unless it has left the page by then.
    function whenKnown(at, element, filling) {
        const ordinal = view.at(at);
        const whole = (record) => {
            filling(record);
            const anchor = element.querySelector("a");
            if (at === current) anchor.tabIndex = 0;
        };
        const record = data.peek(ordinal);
        if (record) return whole(record);
        const chunk = data.chunkOf(ordinal);
        if (!waiting.has(chunk)) waiting.set(chunk, []);
        waiting.get(chunk).push({ ordinal, element, whole });
    }

    let loading = 0;
    // Loads what rows in view wait for, three chunks at a time; what scrolled away again is forgotten.
    function pump() {
        for (const [chunk, list] of waiting) {
            const wanted = list.filter(({ element }) => element.isConnected);
            if (!wanted.length) { waiting.delete(chunk); continue; }
            if (loading >= 3) continue;
            waiting.delete(chunk);
            loading++;
            data.load(chunk).then((records) => {
                for (const { ordinal, element, whole } of wanted) {
                    const record = records[ordinal % data.chunkLength];
                    if (record && element.isConnected) whole(record);
                }
            }, () => sluice.complain(`gallery/data/${chunk + 1}.js`)).finally(() => { loading--; pump(); });
        }
    }

    function render() {
        if (isPrinting) return;
        const y = viewY();
        const margin = innerHeight;
        if (!view.length) { clear(); return; }
        const first = rows.at(y - margin);
        const last = rows.at(y + innerHeight + margin);
        for (const [row, element] of present) {
            if (row >= first && row <= last) continue;
            element.remove();
            present.delete(row);
        }
        // In the order of the view, so that what reads the page aloud reads it in that order.
        let after = null;
        for (let row = last; row >= first; row--) {
            let element = present.get(row);
            if (!element) {
                element = build(row);
                present.set(row, element);
                container.insertBefore(element, after);
            }
            after = element;
        }
        pump();
    }

    function clear() {
        for (const element of present.values()) element.remove();
        present.clear();
        waiting.clear();
    }

    function measure() {
        width = container.clientWidth;
        rows = isTable ? sluice.layout.table(view) : sluice.layout.grid(view, width);
        scale = sluice.layout.scale(rows.height, innerHeight);
        container.style.height = `${scale.page}px`;
        container.setAttribute("role", isTable ? "table" : "list");
        container.setAttribute("aria-label", "Photos");
        if (isTable) container.setAttribute("aria-rowcount", view.length); else container.removeAttribute("aria-rowcount");
    }

    // Which photo stands at the upper edge, and how far below it.
    function anchor() {
        if (!view.length) return null;
        let row = rows.at(viewY() + toolsHeight());
        if (rows.headings.has(row) && row + 1 < rows.tops.length) row++;
        return { ordinal: view.at(rows.starts[row]), offset: rows.tops[row] - viewY() };
    }

    function scrollToView(y) {
        const target = Math.max(0, y);
        shift = 0;
        const page = scale.toPage(target);
        scrollTo({ top: page + pageTop(), behavior: "instant" });
        shift = target - (scrollY - pageTop());
        if (scale.page >= rows.height) shift = 0;
        lastY = scrollY;
        for (const [row, element] of present) place(element, row);
    }

    function restore(kept) {
        const at = kept ? view.placeOf(kept.ordinal) : -1;
        if (at < 0) return false;
        scrollToView(rows.tops[rows.of(at)] - kept.offset);
        return true;
    }

    // Shows another view, or the same in another form, and stays with the photo at the upper edge if it is in it.
    function show(next, table, kept = anchor()) {
        const wasTop = scrollY < 4;
        view = next;
        isTable = table;
        current = Math.min(current, Math.max(0, view.length - 1));
        clear();
        measure();
        if (!restore(kept) && !wasTop) scrollToView(Math.min(0, viewY()));
        render();
    }

    // More of the same view is known: what stands, stands.
    function extend(next) {
        const kept = anchor();
        view = next;
        clear();
        measure();
        if (scrollY > 4) restore(kept);
        render();
    }

    let frame = 0;
    let settle = 0;
    function scrolled() {
        if (scale.page < rows.height) {
            const y = scrollY;
            // A leap of the scroll bar goes by proportion; a step goes pixel by pixel.
            if (Math.abs(y - lastY) > 4 * innerHeight) {
                shift = scale.toView(y - pageTop()) - (y - pageTop());
                clear();
            }
            lastY = y;
        }
        if (!frame) frame = requestAnimationFrame(() => { frame = 0; render(); });
        clearTimeout(settle);
        settle = setTimeout(settled, 160);
    }

    function settled() {
        if (scale.page < rows.height) scrollToView(viewY());
        const kept = anchor();
        if (kept) history.replaceState({ ...history.state, kept }, "");
    }

    addEventListener("scroll", scrolled, { passive: true });
    new ResizeObserver(() => {
        if (isPrinting || container.clientWidth === width) return;
        const kept = anchor();
        const wasTop = scrollY < 4;
        clear();
        measure();
        if (!wasTop) restore(kept);
        render();
    }).observe(container);
    addEventListener("resize", () => { scale = sluice.layout.scale(rows.height, innerHeight); render(); });

    // Brings a photo into view, if it is not, with as little movement as that takes.
    function reveal(at) {
        const row = rows.of(at);
        const top = rows.tops[row];
        const upper = viewY() + toolsHeight() + 8;
        const lower = viewY() + innerHeight - 8;
        if (top < upper) scrollToView(top - toolsHeight() - 8);
        else if (top + rows.heights[row] > lower) scrollToView(top + rows.heights[row] - innerHeight + 8);
        render();
    }

    // Makes a photo the one that Tab reaches.
    function select(at) {
        container.querySelector("a[tabindex='0']")?.setAttribute("tabindex", "-1");
        current = at;
        const target = container.querySelector(`[data-place="${at}"] a`);
        if (target) target.tabIndex = 0;
        return target;
    }

    // Brings a photo into view and gives it the focus.
    async function focus(at) {
        select(at);
        reveal(at);
        await data.record(view.at(at)).catch(() => {});
        if (at === current) select(at)?.focus({ preventScroll: true });
    }

    // Paper has no scroll bar: what is printed begins with the row in view and is some hundreds of photos long. The page's
    // width on paper is no reason to lay it out anew.
    addEventListener("beforeprint", () => {
        isPrinting = true;
        clear();
        const first = rows.at(viewY() + toolsHeight());
        for (let row = first; row < rows.tops.length && rows.starts[row] < rows.starts[first] + 300; row++) {
            const element = build(row);
            present.set(row, element);
            container.append(element);
        }
        pump();
    });
    addEventListener("afterprint", () => { isPrinting = false; clear(); render(); });

    return {
        show, extend, restore, focus, select, container,
        get view() { return view; }, get length() { return view.length; }, get rows() { return rows; }, get isTable() { return isTable; },
    };
})();
