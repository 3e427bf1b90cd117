// SPDX-License-Identifier: MIT

// From the address to the page, and from the tools to the address.
(() => {
    const { make, grouped } = sluice.tiles;
    const data = sluice.data;
    const query = document.getElementById("query");
    const result = document.getElementById("result");
    const progress = document.getElementById("progress");
    const notice = document.getElementById("notice");
    const tableButton = document.getElementById("show-table");
    const filterButton = document.getElementById("show-filters");
    const filters = document.getElementById("filters");
    let shownKey = null;
    let shownTable = false;
    let kept = history.state?.kept;
    let round = 0;

    sluice.title = document.title;
    sluice.current = sluice.route.parse(location.hash);
    history.scrollRestoration = "manual";

    sluice.complain = (file) => {
        notice.hidden = false;
        notice.textContent = `${file} is missing or damaged; "sluice gallery" writes it again.`;
    };

    function tell(share) {
        progress.hidden = share >= 1;
        progress.firstElementChild.style.transform = `scaleX(${share})`;
        progress.setAttribute("aria-valuenow", Math.round(share * 100));
    }

    // Goes to a route; a replaced one leaves no step to come back to.
    sluice.go = (route, replaces = false) => {
        const address = sluice.route.format(route);
        const state = { ...history.state, inside: replaces ? history.state?.inside : true };
        if (replaces) history.replaceState(state, "", address); else history.pushState(state, "", address);
        follow();
    };

    // Leaves the detail view: back where it came from, or, where it was opened by its address, to the grid around it.
    sluice.leave = () => {
        if (history.state?.inside) history.back();
        else sluice.go({ ...sluice.current, photo: null }, true);
    };

    function counted(view, isAll) {
        if (view.isWhole) result.textContent = "";
        else result.textContent = `${grouped(view.length)} of ${grouped(data.total)}${isAll ? "" : " …"}`;
        notice.hidden = view.length > 0 || !isAll;
        if (view.length === 0 && isAll) notice.textContent = "No photo matches.";
    }

    // Finds the photos of a route, and shows them.
    async function show(route) {
        const mine = ++round;
        shownKey = sluice.route.key(route);
        shownTable = route.view === "table";
        await sluice.view.find(route, (view, isAll) => {
            if (mine !== round) return;
            sluice.grid.show(view, shownTable, kept);
            kept = undefined;
            counted(view, isAll);
        }, tell, () => mine !== round).catch((error) => sluice.complain(error.message));
        if (mine === round) tell(1);
    }

    async function follow() {
        const route = sluice.route.parse(location.hash);
        sluice.current = route;
        const table = route.view === "table";
        reflect(route);
        if (sluice.route.key(route) !== shownKey) {
            await show(route);
        } else if (table !== shownTable) {
            shownTable = table;
            sluice.grid.show(sluice.grid.view, table);
        }
        const now = sluice.current.photo;
        if (now !== null) sluice.detail.open(now);
        else if (sluice.detail.isOpen) sluice.detail.close();
    }

    // Shows the route in the tools.
    function reflect(route) {
        if (document.activeElement !== query) query.value = route.q;
        tableButton.setAttribute("aria-pressed", String(route.view === "table"));
        for (const select of filters.querySelectorAll("select")) select.value = route[select.name];
        const isFiltered = sluice.route.filters.some((name) => route[name]) || route.sort;
        if (isFiltered) openFilters(true);
    }

    function openFilters(opens) {
        filters.hidden = !opens;
        filterButton.setAttribute("aria-expanded", String(opens));
    }

    const words = (text) => text.charAt(0).toUpperCase() + text.slice(1);
    const has = (column, name) => column.includes(sluice.view.letter(name));

    // A filter is offered where it would tell photos apart.
    function offer(name, label, options) {
        if (options.length < 2) return;
        const select = make("select", { name }, make("option", { value: "", text: name === "sort" ? "As in the feed" : "All" }),
            ...options.map(([value, text]) => make("option", { value, text })));
        filters.append(make("label", { text: label }, select));
    }

    function offerAll() {
        const { states, hues, formats, dates } = data.index;
        const choices = (column, names) => names.filter((name) => has(column, name)).map((name) => [name, words(name)]);
        const collections = [...new Set(data.sections.map((section) => section.name).filter(Boolean))].slice(0, 2000);
        filters.replaceChildren();
        offer("collection", "Collection", collections.map((name) => [name, name]));
        offer("state", "State", choices(states, ["done", "failed", "skipped", "pending"]));
        offer("shape", "Shape", [["landscape", "Landscape"], ["portrait", "Portrait"], ["square", "Square"]]);
        offer("color", "Colour", choices(hues, ["red", "orange", "yellow", "green", "teal", "blue", "violet", "pink", "black", "white", "neutral"]));
        offer("format", "Format", choices(formats, ["jpeg", "png", "webp", "other"]).map(([value, text]) => [value, value === "other" ? "Other" : value.toUpperCase()]));
        const byDate = dates.some((date) => date > 0) ? [["newest", "Newest first"], ["oldest", "Oldest first"]] : [];
        offer("sort", "Order", [["latest", "Last in the feed first"], ...byDate, ["largest", "Largest file first"]]);
        const reset = make("button", { type: "button", text: "Reset" });
        reset.addEventListener("click", () => {
            query.value = "";
            sluice.go(sluice.route.parse(sluice.current.view ? `#/?view=${sluice.current.view}` : "#/"), true);
        });
        filters.append(reset);
    }

    let typing = 0;
    query.addEventListener("input", () => {
        clearTimeout(typing);
        typing = setTimeout(() => sluice.go({ ...sluice.current, q: query.value.trim() }, true), 180);
    });
    filters.addEventListener("change", (event) => sluice.go({ ...sluice.current, [event.target.name]: event.target.value }, true));
    filterButton.addEventListener("click", () => openFilters(filters.hidden));
    tableButton.addEventListener("click", () => sluice.go({ ...sluice.current, view: sluice.current.view ? "" : "table" }, true));
    document.getElementById("tools").addEventListener("submit", (event) => event.preventDefault());
    document.querySelector(".leap").addEventListener("click", (event) => {
        event.preventDefault();
        if (sluice.grid.length) sluice.grid.focus(0); else document.getElementById("photos").focus();
    });
    document.addEventListener("keydown", (event) => {
        if (event.key !== "/" || sluice.detail.isOpen || event.target.closest("input, select")) return;
        event.preventDefault();
        query.focus();
    });
    // A tile's link is a step that "back" undoes; the browser's own step would not know that it came from the grid.
    document.getElementById("grid").addEventListener("click", (event) => {
        const anchor = event.target.closest("a");
        if (!anchor || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        sluice.go(sluice.route.parse(anchor.hash));
    });
    addEventListener("popstate", follow);

    // Shows what there is now, where the page stands.
    sluice.renew = async (stamp) => {
        await data.renew(stamp);
        sluice.view.forget();
        offerAll();
        reflect(sluice.current);
        await show(sluice.current);
    };

    async function begin() {
        if (!data.total) return;
        let drawn = 0;
        await data.loadIndex((share) => {
            tell(share);
            // Doubling steps: laying out a million photos again for each block would take longer than loading them.
            if (data.known < data.total && (drawn && data.known < 2 * drawn)) return;
            const isPlain = sluice.route.key(sluice.current) === "#/";
            if (!isPlain) return;
            if (drawn) sluice.grid.extend(sluice.view.all());
            else sluice.grid.show(sluice.view.all(), sluice.current.view === "table", kept);
            drawn = data.known;
            shownKey = "#/";
            shownTable = sluice.current.view === "table";
        });
        // The place that was kept may lie in what was not known at first.
        if (scrollY < 4 && history.state?.kept) sluice.grid.restore(history.state.kept);
        offerAll();
        await follow();
    }
    begin().catch((error) => sluice.complain(error.message)).finally(() => {
        document.body.dataset.ready = "";
        sluice.listen();
    });
})();
