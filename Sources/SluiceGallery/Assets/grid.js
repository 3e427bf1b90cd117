// SPDX-License-Identifier: MIT

// Renders the rows in view, and manages the scroll position.
sluice.grid = (() => {
    const { make, set, tile, fill, fillCollection, heading, hasColumn, fillLine } = sluice.tiles;
    const data = sluice.data;
    const container = document.getElementById("grid");
    let view = { length: 0, sections: [] };
    let rows = sluice.layout.table(view);
    let scale = sluice.layout.scale(0, 0);
    let isTable = false;
    let width = 0;
    // The offset between the page's scroll position and the view's. Not zero only if the view is higher than the page.
    let shift = 0;
    let lastY = 0;
    let current = 0;
    // Called with each element that has been filled with its record.
    let onFill = () => {};
    // Called when the rows of a view have been laid out.
    let onLayout = () => {};
    // The elements of the rows on the page, by row.
    const rendered = new Map();
    // The elements that wait for a chunk, by chunk.
    const waiting = new Map();

    const pageTop = () => container.getBoundingClientRect().top + scrollY;
    const columns = document.getElementById("columns");
    const tools = document.getElementById("tools");
    // The height of what stays at the upper edge of the window.
    const toolsHeight = () => tools.offsetHeight + columns.offsetHeight;
    // The headings of the table stay below the tools, which become higher when the filters are opened.
    new ResizeObserver(() => { columns.style.top = `${tools.offsetHeight}px`; }).observe(tools);
    const viewY = () => scrollY - pageTop() + shift;

    function setTop(element, row) {
        element.style.top = `${rows.tops[row] - shift}px`;
    }

    function build(row) {
        const element = make("div", { className: "row", role: "presentation" });
        element.style.height = `${rows.heights[row]}px`;
        const title = rows.headings.get(row);
        if (title) {
            element.classList.add("heading");
            if (title.failure) element.classList.add("of-cause");
            element.append(...heading(title));
        } else if (isTable) {
            element.className = "row line";
            // The first row is the headings.
            set(element, { role: "row", "aria-rowindex": rows.starts[row] + 2, "data-place": rows.starts[row] });
            whenLoaded(rows.starts[row], element, (record) => fillLine(element, record));
        } else {
            element.style.gap = `${rows.gap}px`;
            buildTiles(element, row);
        }
        setTop(element, row);
        return element;
    }

    function buildTiles(element, row) {
        let edge = 0;
        if (view.collections) return buildCovers(element, row);
        for (let at = rows.starts[row]; at < rows.ends[row]; at++) {
            const aspect = sluice.layout.displayedAspect(data.index.aspects[view.at(at)]);
            const left = Math.round(edge);
            edge += aspect * rows.exact[row];
            const across = Math.round(edge) - left;
            const tileElement = tile(at, view.length, across, rows.heights[row]);
            element.append(tileElement);
            whenLoaded(at, tileElement, (record) => fill(tileElement, record, across));
        }
    }

    function buildCovers(element, row) {
        for (let at = rows.starts[row]; at < rows.ends[row]; at++) {
            const cover = tile(at, view.length, rows.across, rows.heights[row]);
            element.append(cover);
            whenLoaded(at, cover, (record) => fillCollection(cover, record, view.collections[at], rows.across));
        }
    }

    // Fills an element when its record is loaded, unless the element has left the page by then.
    function whenLoaded(at, element, fillElement) {
        const ordinal = view.at(at);
        const complete = (record) => {
            fillElement(record);
            const anchor = element.querySelector("a");
            if (at === current) anchor.tabIndex = 0;
            onFill(element);
        };
        const record = data.peek(ordinal);
        if (record) return complete(record);
        const chunk = data.chunkOf(ordinal);
        if (!waiting.has(chunk)) waiting.set(chunk, []);
        waiting.get(chunk).push({ ordinal, element, complete });
    }

    let loading = 0;
    // Loads the chunks that rows on the page wait for, three at a time. Rows that have left the page are dropped.
    function loadWaiting() {
        for (const [chunk, list] of waiting) {
            const wanted = list.filter(({ element }) => element.isConnected);
            if (!wanted.length) { waiting.delete(chunk); continue; }
            if (loading >= 3) continue;
            waiting.delete(chunk);
            loading++;
            data.load(chunk).then((records) => {
                for (const { ordinal, element, complete } of wanted) {
                    const record = records[ordinal % data.chunkLength];
                    if (record && element.isConnected) complete(record);
                }
            }, () => sluice.showLoadError(`gallery/data/${chunk + 1}.js`)).finally(() => { loading--; loadWaiting(); });
        }
    }

    function render() {
        const y = viewY();
        const margin = innerHeight;
        if (!view.length) { clear(); return; }
        const first = rows.at(y - margin);
        const last = rows.at(y + innerHeight + margin);
        for (const [row, element] of rendered) {
            if (row >= first && row <= last) continue;
            element.remove();
            rendered.delete(row);
        }
        // Insert rows in the order of the view, because screen readers follow the document order.
        let after = null;
        for (let row = last; row >= first; row--) {
            let element = rendered.get(row);
            if (!element) {
                element = build(row);
                rendered.set(row, element);
                container.insertBefore(element, after);
            }
            after = element;
        }
        loadWaiting();
    }

    function clear() {
        for (const element of rendered.values()) element.remove();
        rendered.clear();
        waiting.clear();
    }

    function updateLayout() {
        width = container.clientWidth;
        rows = sluice.layout[view.collections ? "collections" : isTable ? "table" : "grid"](view, width);
        scale = sluice.layout.scale(rows.height, innerHeight);
        container.style.height = `${scale.page}px`;
        set(container, {
            // A list or a table without members is no list for screen readers.
            role: !view.length ? null : isTable ? "table" : "list", "aria-label": !view.length ? null : view.collections ? "Collections" : "Photos",
            "aria-owns": isTable && view.length ? "columns" : null,
            "aria-rowcount": isTable && view.length ? view.length + 1 : null,
        });
        columns.hidden = !isTable || !view.length;
        for (const column of columns.children) column.hidden = !hasColumn(column.className);
    }

    // The photo at the upper edge of the window, and its distance from the edge.
    function anchor() {
        if (!view.length) return null;
        let row = rows.at(viewY() + toolsHeight());
        if (rows.headings.has(row) && row + 1 < rows.tops.length) row++;
        return { ordinal: view.at(rows.starts[row]), offset: rows.tops[row] - viewY() };
    }

    // Scrolls so that the window's upper edge is at `y` of the view, which is negative above the view.
    function scrollToView(y) {
        const target = Math.max(-pageTop(), y);
        shift = 0;
        const page = scale.toPage(target);
        scrollTo({ top: page + pageTop(), behavior: "instant" });
        shift = target - (scrollY - pageTop());
        if (scale.page >= rows.height) shift = 0;
        lastY = scrollY;
        for (const [row, element] of rendered) setTop(element, row);
    }

    function restore(kept) {
        const at = kept ? view.placeOf(kept.ordinal) : -1;
        if (at < 0) return false;
        scrollToView(rows.tops[rows.of(at)] - kept.offset);
        return true;
    }

    // Shows another view, or the same as grid or table. Keeps the photo at the upper edge if the view contains it, and
    // the focused photo. A page that is not scrolled into the view stays where it is.
    function show(next, table, kept = viewY() <= 0 || next.collections || view.collections ? null : anchor()) {
        const wasAbove = viewY() <= 0;
        const focused = container.contains(document.activeElement) ? view.at(current) : -1;
        view = next;
        isTable = table;
        const place = view.placeOf(focused);
        current = place < 0 ? Math.max(0, Math.min(current, view.length - 1)) : place;
        clear();
        updateLayout();
        onLayout();
        if (!restore(kept) && !wasAbove) scrollToView(Math.min(0, viewY()));
        render();
        if (focused >= 0) focusLoaded(current);
    }

    // Shows more photos of the same view without moving those in the window.
    function extend(next) {
        const kept = anchor();
        view = next;
        clear();
        updateLayout();
        onLayout();
        if (scrollY > 4) restore(kept);
        render();
    }

    // The length of the view that can be scrolled, below the tools.
    const reach = () => Math.max(1, rows.height + toolsHeight() - innerHeight);
    // The share of the view above the window, from 0 to 1, and the photo at the window's upper edge.
    const share = () => sluice.clamp(0, (viewY() + toolsHeight()) / reach(), 1);
    // The photo that is at the window's upper edge when this share of the view is above it.
    const placeAt = (share) => Math.min(view.length - 1, rows.starts[rows.at(share * reach())]);
    function scrollToShare(share) {
        // The heading above the view belongs to its beginning.
        scrollToView(share > 0 ? share * reach() - toolsHeight() : -pageTop());
        render();
    }

    let frame = 0;
    let settleTimer = 0;
    function onScroll() {
        if (scale.page < rows.height) {
            const y = scrollY;
            // Map a drag of the scroll bar proportionally, and smaller steps pixel by pixel.
            if (Math.abs(y - lastY) > 4 * innerHeight) {
                shift = scale.toView(y - pageTop()) - (y - pageTop());
                clear();
            }
            lastY = y;
        }
        if (!frame) frame = requestAnimationFrame(() => { frame = 0; render(); });
        clearTimeout(settleTimer);
        settleTimer = setTimeout(saveScrollPosition, 160);
    }

    function saveScrollPosition() {
        if (scale.page < rows.height) scrollToView(viewY());
        const kept = anchor();
        if (kept) history.replaceState({ ...history.state, kept }, "");
    }

    addEventListener("scroll", onScroll, { passive: true });
    new ResizeObserver(() => {
        // Printed pages do not show the grid.
        if (!container.clientWidth || container.clientWidth === width) return;
        const kept = anchor();
        const wasTop = scrollY < 4;
        clear();
        updateLayout();
        onLayout();
        if (!wasTop) restore(kept);
        render();
    }).observe(container);
    addEventListener("resize", () => { scale = sluice.layout.scale(rows.height, innerHeight); render(); });

    // Scrolls as little as needed to make a photo visible.
    function reveal(at) {
        const row = rows.of(at);
        const top = rows.tops[row];
        const upper = viewY() + toolsHeight() + 8;
        const lower = viewY() + innerHeight - 8;
        if (top < upper) scrollToView(top - toolsHeight() - 8);
        else if (top + rows.heights[row] > lower) scrollToView(top + rows.heights[row] - innerHeight + 8);
        render();
    }

    // The place of the photo that an element belongs to, or -1.
    const placeOf = (element) => Number(element.closest?.("[data-place]")?.dataset.place ?? -1);

    // Makes a photo the one that the Tab key reaches.
    function select(at) {
        container.querySelector("a[tabindex='0']")?.setAttribute("tabindex", "-1");
        current = at;
        const target = container.querySelector(`[data-place="${at}"] a`);
        if (target) target.tabIndex = 0;
        return target;
    }

    // Focuses the current photo when its record is loaded.
    async function focusLoaded(at) {
        await data.record(view.at(at)).catch(() => {});
        if (at === current) select(at)?.focus({ preventScroll: true });
    }

    // Scrolls to a photo and focuses it.
    async function focus(at) {
        select(at);
        reveal(at);
        await focusLoaded(at);
    }

    return {
        show, extend, restore, focus, select, placeOf, container,
        share, placeAt, scrollToShare, get isLong() { return rows.height > 3 * innerHeight; },
        set onFill(action) { onFill = action; }, set onLayout(action) { onLayout = action; },
        get view() { return view; }, get length() { return view.length; }, get rows() { return rows; },
    };
})();
