// SPDX-License-Identifier: MIT

// Shows the photos that the URL describes, and updates the URL from the search field and filters.
(() => {
    const { make, set, grouped } = sluice.tiles;
    const data = sluice.data;
    const query = document.getElementById("query");
    const result = document.getElementById("result");
    const progress = document.getElementById("progress");
    const notice = document.getElementById("notice");
    const tableButton = document.getElementById("show-table");
    const filterButton = document.getElementById("show-filters");
    const filters = document.getElementById("filters");
    const columns = document.getElementById("columns");
    let shownKey = null;
    let shownTable = false;
    let kept = history.state?.kept;
    let lastSearch = 0;
    // Whether the browser has been asked to go back, which happens later.
    let isLeaving = false;

    sluice.title = document.title;
    sluice.current = sluice.route.parse(location.hash);
    history.scrollRestoration = "manual";

    sluice.showLoadError = (file) => {
        notice.hidden = false;
        notice.textContent = `Cannot load ${file}. Run "sluice gallery" to recreate it.`;
    };

    function showProgress(share) {
        progress.hidden = share >= 1;
        progress.firstElementChild.style.transform = `scaleX(${share})`;
        progress.setAttribute("aria-valuenow", Math.round(share * 100));
    }

    // Goes to a route. With `replaces`, or if the page is there already, the current entry of the browser's history is
    // replaced.
    sluice.go = (route, replaces = false) => {
        const address = sluice.route.format(route);
        const stays = replaces || address === location.hash;
        const state = { ...history.state, inside: stays ? history.state?.inside : true };
        if (stays) history.replaceState(state, "", address); else history.pushState(state, "", address);
        followURL();
    };

    // Leaves the detail view: goes back in the history, or to the grid if the view was opened by its URL.
    //
    // For one Escape, the browser may both cancel and close the dialog. Going back twice would leave the gallery.
    sluice.leave = () => {
        if (isLeaving) return;
        isLeaving = history.state?.inside === true;
        if (isLeaving) history.back();
        else sluice.go({ ...sluice.current, photo: null }, true);
    };

    function showCount(view, isComplete) {
        if (view.isWhole) result.textContent = "";
        else result.textContent = `${grouped(view.length)} of ${grouped(data.total)}${isComplete ? "" : " …"}`;
        notice.hidden = view.length > 0 || !isComplete;
        if (view.length === 0 && isComplete) notice.textContent = "No photos match.";
    }

    // Finds the photos of a route, and shows them; also partial results unless `isUpdate` is true.
    async function show(route, isUpdate = false) {
        const search = ++lastSearch;
        shownKey = sluice.route.key(route);
        shownTable = route.view === "table";
        await sluice.view.find(route, (view, isComplete) => {
            if (search !== lastSearch || (isUpdate && !isComplete)) return;
            sluice.grid.show(view, shownTable, kept);
            kept = undefined;
            showCount(view, isComplete);
        }, showProgress, () => search !== lastSearch).catch((error) => sluice.showLoadError(error.message));
        if (search === lastSearch) showProgress(1);
    }

    // Shows the photos and the detail view that the URL describes.
    async function followURL() {
        isLeaving = false;
        const route = sluice.route.parse(location.hash);
        sluice.current = route;
        const table = route.view === "table";
        updateTools(route);
        if (sluice.route.key(route) !== shownKey) {
            await show(route);
        } else if (table !== shownTable) {
            shownTable = table;
            sluice.grid.show(sluice.grid.view, table);
        }
        await showPhoto(sluice.current.photo);
    }

    let loadingDetail;
    // Opens or closes the detail view. Its script is loaded when the first photo is opened.
    async function showPhoto(photo) {
        if (photo === null) return sluice.detail?.close();
        loadingDetail ??= data.script("gallery/detail.js");
        try {
            await loadingDetail;
        } catch (error) {
            loadingDetail = undefined;
            return sluice.showLoadError(error.message);
        }
        if (photo === sluice.current.photo) sluice.detail.open(photo);
    }

    // Shows the route's search and filters in the controls.
    function updateTools(route) {
        if (document.activeElement !== query) query.value = route.q;
        tableButton.setAttribute("aria-pressed", String(route.view === "table"));
        for (const select of filters.querySelectorAll("select")) select.value = route[select.name];
        for (const button of columns.querySelectorAll("button")) {
            const at = button.dataset.orders.split(" ").indexOf(route.sort);
            // The first order of a column is descending, except for the position in the feed.
            const isAscending = (at === 1) !== button.dataset.orders.startsWith(" ");
            set(button.parentElement, { "aria-sort": at < 0 ? null : isAscending ? "ascending" : "descending" });
        }
        const isFiltered = sluice.route.filters.some((name) => route[name]) || route.sort;
        // Filters that the user has closed stay closed when a photo is opened or closed.
        if (isFiltered && sluice.route.key(route) !== shownKey) toggleFilters(true);
    }

    function toggleFilters(isOpen) {
        filters.hidden = !isOpen;
        filterButton.setAttribute("aria-expanded", String(isOpen));
    }

    const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);
    const has = (column, name) => column.includes(sluice.view.letter(name));

    // Adds a filter if it has at least two options.
    function addFilter(name, label, options) {
        if (options.length < 2) return;
        const select = make("select", { name }, make("option", { value: "", text: name === "sort" ? "Feed order" : "All" }),
            ...options.map(([value, text]) => make("option", { value, text })));
        filters.append(make("label", { text: label }, select));
    }

    function addAllFilters() {
        const { states, hues, formats, dates } = data.index;
        const choices = (column, names) => names.filter((name) => has(column, name)).map((name) => [name, capitalized(name)]);
        const collections = [...new Set(data.sections.map((section) => section.name).filter(Boolean))].slice(0, 2000);
        filters.replaceChildren();
        addFilter("collection", "Collection", collections.map((name) => [name, name]));
        addFilter("state", "State", choices(states, ["done", "failed", "skipped", "pending"]));
        addFilter("shape", "Shape", [["landscape", "Landscape"], ["portrait", "Portrait"], ["square", "Square"]]);
        addFilter("color", "Colour", choices(hues, ["red", "orange", "yellow", "green", "teal", "blue", "violet", "pink", "black", "white", "neutral"]));
        const stored = [...sluice.view.formatLetters].filter(([, letter]) => formats.includes(letter.charCodeAt(0)));
        addFilter("format", "Format", stored.map(([name]) => [name, name === "other" ? "Other" : name.toUpperCase()]));
        const byDate = dates.some((date) => date > 0) ? [["newest", "Newest first"], ["oldest", "Oldest first"]] : [];
        addFilter("sort", "Order", [["latest", "Reverse feed order"], ["name", "Name"], ...byDate, ["largest", "Largest file first"], ["smallest", "Smallest file first"]]);
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
    filterButton.addEventListener("click", () => toggleFilters(filters.hidden));
    tableButton.addEventListener("click", () => sluice.go({ ...sluice.current, view: sluice.current.view ? "" : "table" }, true));
    columns.addEventListener("click", (event) => {
        const orders = event.target.closest("button")?.dataset.orders.split(" ");
        if (orders) sluice.go({ ...sluice.current, sort: sluice.current.sort === orders[0] ? orders[1] : orders[0] }, true);
    });
    document.getElementById("tools").addEventListener("submit", (event) => event.preventDefault());
    document.querySelector(".leap").addEventListener("click", (event) => {
        event.preventDefault();
        if (sluice.grid.length) sluice.grid.focus(0); else document.getElementById("photos").focus();
    });
    document.addEventListener("keydown", (event) => {
        if (event.key !== "/" || sluice.detail?.isOpen || event.target.closest("input, select")) return;
        event.preventDefault();
        query.focus();
    });
    // Navigate by script, so that the history records that the detail view was opened from the grid.
    document.getElementById("grid").addEventListener("click", (event) => {
        const anchor = event.target.closest("a");
        if (!anchor || event.button || event.shiftKey || sluice.hasModifier(event)) return;
        event.preventDefault();
        sluice.go(sluice.route.parse(anchor.hash));
    });
    addEventListener("popstate", followURL);

    // Loads the rewritten gallery and keeps the scroll position.
    sluice.refresh = async (stamp) => {
        await data.reload(stamp);
        sluice.view.clearTexts();
        addAllFilters();
        updateTools(sluice.current);
        await show(sluice.current, true);
    };

    async function start() {
        if (!data.total) return;
        let drawn = 0;
        await data.loadIndex((share) => {
            showProgress(share);
            // Redraw only when the number of photos has doubled: a layout for each block would take longer than
            // loading.
            if (data.known < data.total && (drawn && data.known < 2 * drawn)) return;
            const isPlain = sluice.route.key(sluice.current) === "#/";
            if (!isPlain) return;
            if (drawn) sluice.grid.extend(sluice.view.all());
            else sluice.grid.show(sluice.view.all(), sluice.current.view === "table", kept);
            drawn = data.known;
            shownKey = "#/";
            shownTable = sluice.current.view === "table";
        });
        // The saved scroll position may lie in a part of the index that was loaded later.
        if (scrollY < 4 && history.state?.kept) sluice.grid.restore(history.state.kept);
        addAllFilters();
        await followURL();
    }
    start().catch((error) => sluice.showLoadError(error.message)).finally(() => {
        document.body.dataset.ready = "";
        sluice.listenForUpdates();
    });
})();
