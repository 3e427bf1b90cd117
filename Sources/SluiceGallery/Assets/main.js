// SPDX-License-Identifier: MIT

// Shows the photos that the URL describes, and updates the URL from the search field and filters.
(() => {
    const { make, set, grouped, other, sentence } = sluice.tiles;
    const data = sluice.data;
    const { noCollection } = sluice.route;
    const query = document.getElementById("query");
    const result = document.getElementById("result");
    const progress = document.getElementById("progress");
    const notice = document.getElementById("notice");
    const collectionsButton = document.getElementById("show-collections");
    const tableButton = document.getElementById("show-table");
    const filterButton = document.getElementById("show-filters");
    const filters = document.getElementById("filters");
    const columns = document.getElementById("columns");
    let shownKey = null;
    let shownMode = "";
    // The photos of the route's search and filters; the grid shows them, or their collections.
    let photos = sluice.view.all();
    const kept = history.state?.kept;
    let lastSearch = 0;
    // Whether the browser has been asked to go back, which happens later.
    let isLeaving = false;

    // The token from the address that "sluice serve --edit" prints, which stays in this tab.
    const token = location.protocol !== "file:" && (new URLSearchParams(location.search).get("edit") || sessionStorage.getItem("edit"));

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

    // Shows the photos of a view, or their collections.
    function showPhotos(view, kept) {
        photos = view;
        const isOfCollections = sluice.current.view === "collections";
        if (isOfCollections) sluice.selection.end();
        sluice.grid.show(isOfCollections ? sluice.view.collections(view, sluice.current) : view, sluice.current.view === "table", kept);
    }

    function showCount(view, isComplete) {
        const { collections } = sluice.grid.view;
        if (collections) result.textContent = collections.length === 1 ? "1 collection" : `${grouped(collections.length)} collections`;
        else if (view.isWhole) result.textContent = "";
        else result.textContent = `${grouped(view.length)} of ${grouped(data.total)}${isComplete ? "" : " …"}`;
        notice.hidden = view.length > 0 || !isComplete;
        if (view.length === 0 && isComplete) notice.textContent = "No photos match.";
    }

    // Finds the photos of a route, and shows them; also partial results unless `isUpdate` is true.
    async function show(route, kept, isUpdate = false) {
        const search = ++lastSearch;
        shownKey = sluice.route.key(route);
        shownMode = route.view;
        await sluice.view.find(route, (view, isComplete) => {
            if (search !== lastSearch || (isUpdate && !isComplete)) return;
            showPhotos(view, kept);
            kept = undefined;
            showCount(view, isComplete);
        }, showProgress, () => search !== lastSearch).catch((error) => sluice.showLoadError(error.message));
        if (search === lastSearch) showProgress(1);
    }

    // Shows the photos and the detail view that the URL describes.
    async function followURL(kept) {
        isLeaving = false;
        const route = sluice.route.parse(location.hash);
        sluice.current = route;
        updateTools(route);
        if (sluice.route.key(route) !== shownKey) {
            await show(route, kept);
        } else if (route.view !== shownMode) {
            shownMode = route.view;
            showPhotos(photos, kept);
            showCount(photos, true);
        }
        await showPhoto(sluice.current.photo);
    }

    let loadingDetail;
    // Loads the script of the detail view, the list of keys and the selection's actions when it is first needed.
    sluice.loadDetail = () => loadingDetail ??= data.script("gallery/detail.js").catch((error) => {
        loadingDetail = undefined;
        throw error;
    });

    // Opens or closes the detail view.
    async function showPhoto(photo) {
        if (photo === null) return sluice.detail?.close();
        try {
            await sluice.loadDetail();
        } catch (error) {
            return sluice.showLoadError(error.message);
        }
        if (photo === sluice.current.photo) sluice.detail.open(photo);
    }

    // Shows the route's search and filters in the controls.
    function updateTools(route) {
        if (document.activeElement !== query) query.value = route.q;
        tableButton.setAttribute("aria-pressed", String(route.view === "table"));
        document.getElementById("select").hidden = route.view === "collections";
        collectionsButton.setAttribute("aria-pressed", String(route.view === "collections"));
        for (const select of filters.querySelectorAll("select")) select.value = route[select.name];
        for (const button of columns.querySelectorAll("button")) {
            const at = button.dataset.orders.split(" ").indexOf(route.sort);
            // The first order of a column is descending, except for the position in the feed.
            const isAscending = (at === 1) !== button.dataset.orders.startsWith(" ");
            set(button.parentElement, { "aria-sort": at < 0 ? null : isAscending ? "ascending" : "descending" });
        }
        // The page of a collection has a heading that says so.
        const isFiltered = sluice.route.filters.some((name) => name !== "collection" && route[name]) || route.sort;
        // Filters that the user has closed stay closed when a photo is opened or closed.
        if (isFiltered && sluice.route.key(route) !== shownKey) toggleFilters(true);
    }

    function toggleFilters(isOpen) {
        filters.hidden = !isOpen;
        filterButton.setAttribute("aria-expanded", String(isOpen));
    }

    const has = (column, name) => column.includes(sluice.view.letter(name));

    // Adds a filter if it has at least two options.
    function addFilter(name, label, options) {
        if (options.length < 2) return;
        const select = make("select", { name }, make("option", { value: "", text: name === "sort" ? "Feed order" : "All" }),
            ...options.map(([value, text]) => make("option", { value, text })));
        filters.append(make("label", { text: label }, select));
    }

    function addAllFilters() {
        const { states, hues, formats, dates, ratings } = data.index;
        const choices = (column, names) => names.filter((name) => has(column, name)).map((name) => [name, sentence(name)]);
        const collections = [...new Set(data.sections.map(({ name }) => name || noCollection))];
        collectionsButton.hidden = collections.length < 2;
        filters.replaceChildren();
        addFilter("collection", "Collection", collections.slice(0, 2000).map((name) => [name, name === noCollection ? other : name]));
        addFilter("state", "State", choices(states, ["done", "failed", "skipped", "pending", "rejected"]));
        const rated = [1, 2, 3, 4, 5].filter((count) => ratings.includes(count));
        addFilter("rating", "Rating", [...rated.map((count) => [count, `${"★".repeat(count)} or more`]), ["0", "Unrated"]]);
        addFilter("shape", "Shape", [["landscape", "Landscape"], ["portrait", "Portrait"], ["square", "Square"]]);
        addFilter("color", "Colour", choices(hues, ["red", "orange", "yellow", "green", "teal", "blue", "violet", "pink", "black", "white", "neutral"]));
        const stored = [...sluice.view.formatLetters].filter(([, letter]) => formats.includes(letter.charCodeAt(0)));
        addFilter("format", "Format", stored.map(([name]) => [name, name === "other" ? "Other" : name.toUpperCase()]));
        const byDate = dates.some((date) => date > 0) ? [["newest", "Newest first"], ["oldest", "Oldest first"]] : [];
        addFilter("sort", "Order", [["latest", "Reverse feed order"], ["name", "Name"], ...(rated.length ? [["best", "Best rating first"]] : []), ...byDate, ["largest", "Largest file first"], ["smallest", "Smallest file first"]]);
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
    const toggleView = (view) => sluice.go({ ...sluice.current, view: sluice.current.view === view ? "" : view }, true);
    const toggleCollections = () => sluice.current.view === "collections" ? toggleView("collections")
        : sluice.go({ ...sluice.current, collection: "", view: "collections" });
    collectionsButton.addEventListener("click", toggleCollections);
    filterButton.addEventListener("click", () => toggleFilters(filters.hidden));
    tableButton.addEventListener("click", () => toggleView("table"));
    columns.addEventListener("click", (event) => {
        const orders = event.target.closest("button")?.dataset.orders.split(" ");
        if (orders) sluice.go({ ...sluice.current, sort: sluice.current.sort === orders[0] ? orders[1] : orders[0] }, true);
    });
    document.getElementById("tools").addEventListener("submit", (event) => event.preventDefault());
    document.querySelector(".leap").addEventListener("click", (event) => {
        event.preventDefault();
        if (sluice.grid.length) sluice.grid.focus(0); else document.getElementById("photos").focus();
    });
    const showKeys = () => { sluice.loadDetail().then(() => sluice.help(), (error) => sluice.showLoadError(error.message)); };
    document.querySelector("footer").addEventListener("click", (event) => {
        if (event.target.id === "show-keys") showKeys();
        if (event.target.id === "print") sluice.print();
    });
    sluice.bindKeys(document, "Gallery", [
        ["/", "Search", () => query.focus()], ["c", "Collections", () => collectionsButton.hidden ? false : toggleCollections()],
        ["t", "Table", () => toggleView("table")],
        ["Ctrl+p", "Print a contact sheet", () => { sluice.print(); }],
        ["?", "Keys", showKeys],
    ]);
    // Navigate by script, so that the history records that the detail view was opened from the grid.
    document.getElementById("grid").addEventListener("click", (event) => {
        const anchor = event.target.closest("a");
        if (!anchor || event.button || event.shiftKey || sluice.hasModifier(event)) return;
        event.preventDefault();
        sluice.go(sluice.route.parse(anchor.hash));
    });
    addEventListener("popstate", (event) => followURL(event.state?.kept));

    // Loads the rewritten gallery and keeps the scroll position.
    sluice.refresh = async (stamp) => {
        await data.reload(stamp);
        await sluice.edit?.load();
        sluice.view.clearTexts();
        await sluice.reshow();
    };

    // Finds and shows the photos of the route again, after marks have changed.
    sluice.reshow = async () => {
        addAllFilters();
        updateTools(sluice.current);
        await show(sluice.current, undefined, true);
    };

    async function start() {
        if (!data.total) return;
        let drawn = 0;
        await data.loadIndex((share) => {
            showProgress(share);
            // Redraw only when the number of photos has doubled: a layout for each block would take longer than
            // loading.
            if (data.known < data.total && (drawn && data.known < 2 * drawn)) return;
            const isPlain = sluice.route.key(sluice.current) === "#/" && sluice.current.view !== "collections" && !sluice.view.hasRejected();
            if (!isPlain) return;
            if (drawn) sluice.grid.extend(sluice.view.all());
            else showPhotos(sluice.view.all(), kept);
            drawn = data.known;
            shownKey = "#/";
            shownMode = sluice.current.view;
        });
        // The saved scroll position may lie in a part of the index that was loaded later.
        if (scrollY < 4 && history.state?.kept) sluice.grid.restore(history.state.kept);
        addAllFilters();
        if (token) await data.script("gallery/edit.js").then(() => sluice.startEditing(token));
        await followURL(kept);
    }
    start().catch((error) => sluice.showLoadError(error.message)).finally(() => {
        document.body.dataset.ready = "";
        sluice.listenForUpdates();
    });
})();
