// SPDX-License-Identifier: MIT

// Converts between the URL's fragment and a route: #/photo/12?q=lake&state=failed&sort=largest&view=table, or
// #/collections?q=lake
sluice.route = (() => {
    const names = ["q", "collection", "state", "rating", "shape", "color", "format", "sort", "view"];

    function parse(hash) {
        const [path, query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
        const asked = new URLSearchParams(query);
        const route = { photo: null };
        const photo = /^\/photo\/(\d{1,15})$/.exec(path);
        if (photo) route.photo = Number(photo[1]);
        for (const name of names) route[name] = (asked.get(name) || "").slice(0, 4000);
        if (path === "/collections") route.view = "collections";
        else if (route.view !== "table") route.view = "";
        return route;
    }

    function format(route) {
        const ofCollections = route.view === "collections" && route.photo === null;
        const asked = new URLSearchParams();
        for (const name of names) if (route[name] && !(ofCollections && name === "view")) asked.set(name, route[name]);
        const query = asked.toString();
        const path = ofCollections ? "collections" : route.photo === null ? "" : `photo/${route.photo}`;
        return `#/${path}${query ? `?${query}` : ""}`;
    }

    // A text that identifies the list of photos: everything in a route except the open photo and the view mode.
    const key = (route) => format({ ...route, photo: null, view: "" });
    // The value of the collection filter for photos without one. No collection has this name.
    const noCollection = " ";
    return { parse, format, key, noCollection, filters: ["collection", "state", "rating", "shape", "color", "format"] };
})();

// Converts dates of the index, in minutes since the year 1000, to keys that are equal for photos of the same day, month
// or year, and to their names.
sluice.dates = (() => {
    const unixMinutes = 354285 * 1440;
    const formats = {
        4: { year: "numeric" }, 7: { month: "long", year: "numeric" }, 10: { day: "numeric", month: "long", year: "numeric" },
    };
    for (const length in formats) formats[length] = new Intl.DateTimeFormat("en-GB", { ...formats[length], timeZone: "UTC" });
    const lengths = { year: 4, month: 7, day: 10 };
    const day = (minutes) => Math.floor((minutes - unixMinutes) / 1440);
    let [lastDay, lastText] = [NaN, ""];

    // "2025-06-30", "2025-06" or "2025"; empty without a date.
    function key(minutes, unit) {
        if (!minutes) return "";
        const number = day(minutes);
        if (number !== lastDay) [lastDay, lastText] = [number, new Date(number * 86400000).toISOString().slice(0, 10)];
        return lastText.slice(0, lengths[unit]);
    }

    const name = (key) => key ? formats[key.length].format(new Date(key)) : "Without a date";
    return { key, name };
})();

// Creates views. A view is a list of photos: all of them in the feed's order, or a filtered and sorted selection.
sluice.view = (() => {
    const data = sluice.data;

    // Show headings only if sections have at least two photos on average; otherwise headings would dominate the page.
    const hasSections = () => {
        const count = Number(document.body.dataset.sections);
        return count * 2 <= data.total && (count > 1 || data.sections[0]?.name !== undefined);
    };

    function all() {
        return {
            length: data.known, at: (place) => place, placeOf: (ordinal) => ordinal < data.known ? ordinal : -1,
            sections: hasSections() ? data.sections : [], isWhole: true,
        };
    }

    function selection(ordinals, sections) {
        return {
            length: ordinals.length, at: (place) => ordinals[place], placeOf: (ordinal) => ordinals.indexOf(ordinal),
            sections, isWhole: false,
        };
    }

    // Filter values come from the URL and may name a member of every object, such as "constructor".
    const own = (object, name) => Object.hasOwn(object, name) ? object[name] : undefined;
    const shapes = {
        landscape: (aspect) => aspect > 1.1,
        portrait: (aspect) => aspect < 0.9,
        square: (aspect) => aspect >= 0.9 && aspect <= 1.1,
    };
    const letters = { black: "k", pink: "m" };
    // The letters of the formats in the index, as the page states them: "jpeg=j png=p other=o".
    const formatLetters = new Map((document.body.dataset.formats || "").split(" ").map((pair) => pair.split("=")));
    const letter = (name) => (own(letters, name) || name).charCodeAt(0);

    // Whether the gallery has photos that only the filter for them shows.
    const hasRejected = () => data.index.states.includes(letter("rejected"));

    // Returns a test for the filters that need only the index.
    function filter(route) {
        const { aspects, states, hues, formats, ratings } = data.index;
        const tests = [];
        const shape = own(shapes, route.shape);
        if (route.state) tests.push((i) => states[i] === letter(route.state));
        else if (hasRejected()) tests.push((i) => states[i] !== letter("rejected"));
        const least = Number(route.rating);
        if (route.rating) tests.push((i) => least > 0 ? ratings[i] >= least : !ratings[i]);
        if (shape) tests.push((i) => shape(aspects[i]));
        if (route.color) tests.push((i) => hues[i] === letter(route.color));
        if (route.format) tests.push((i) => formats[i] === (formatLetters.get(route.format) || "").charCodeAt(0));
        return (i) => tests.every((test) => test(i));
    }

    // The ranges of photos that the collection filter selects.
    function collectionRanges(route) {
        if (!route.collection) return [{ start: 0, end: data.known }];
        return data.sections.flatMap((section, i) => {
            const end = i + 1 < data.sections.length ? data.sections[i + 1].at : data.known;
            return (section.name || sluice.route.noCollection) === route.collection ? [{ start: section.at, end }] : [];
        });
    }

    function filtered(route) {
        const passes = filter(route);
        const ordinals = [];
        for (const { start, end } of collectionRanges(route)) {
            for (let i = start; i < end; i++) if (passes(i)) ordinals.push(i);
        }
        return ordinals;
    }

    // Photos without a date come after those with one.
    const orders = {
        latest: () => (a, b) => b - a,
        newest: ({ dates }) => (a, b) => dates[b] - dates[a] || a - b,
        oldest: ({ dates }) => (a, b) => (dates[a] || Infinity) - (dates[b] || Infinity) || a - b,
        smallest: ({ sizes }) => (a, b) => (sizes[a] || 2 ** 32) - (sizes[b] || 2 ** 32) || a - b,
        largest: ({ sizes }) => (a, b) => sizes[b] - sizes[a] || a - b,
        best: ({ ratings }) => (a, b) => ratings[b] - ratings[a] || a - b,
    };

    function sorted(route, ordinals) {
        const order = own(orders, route.sort);
        return order ? ordinals.sort(order(data.index)) : ordinals;
    }

    // Groups ordinals that follow each other by what `keyOf` returns for them, and names the groups.
    function grouped(ordinals, keyOf, nameOf) {
        const list = [];
        let last;
        for (let at = 0; at < ordinals.length; at++) {
            const key = keyOf(ordinals[at]);
            if (at > 0 && key === last) continue;
            list.push({ at, name: nameOf(key) });
            last = key;
        }
        return list;
    }

    const byName = new Intl.Collator("en", { numeric: true }).compare;
    // The collections of photos: their names, covers and numbers of photos. They are in the order of their first
    // photos, or of their names. Photos without a collection come last.
    function collections(photos, route) {
        const found = new Map();
        const hasPicture = (ordinal) => data.index.states[ordinal] === letter("done");
        for (let place = 0; place < photos.length; place++) {
            const ordinal = photos.at(place);
            const name = data.collection(ordinal);
            if (!found.has(name)) found.set(name, { name, cover: ordinal, count: 0 });
            const collection = found.get(name);
            collection.count++;
            if (!hasPicture(collection.cover) && hasPicture(ordinal)) collection.cover = ordinal;
        }
        const list = [...found.values()];
        list.sort((a, b) => !a.name - !b.name || (route.sort === "name" ? byName(a.name, b.name) : 0));
        return {
            length: list.length, at: (place) => list[place].cover, sections: [], isWhole: photos.isWhole, collections: list,
            placeOf: (ordinal) => list.findIndex(({ name }) => name === data.collection(ordinal)),
        };
    }

    const isReadable = (list, count) => list.length * 2 <= count;

    // Sections by day, month or year: the shortest of these that has at least two photos on average.
    function dateSections(ordinals) {
        for (const unit of ["day", "month", "year"]) {
            const list = grouped(ordinals, (ordinal) => sluice.dates.key(data.index.dates[ordinal], unit), sluice.dates.name);
            if (isReadable(list, ordinals.length)) return list;
        }
        return [];
    }

    function sections(route, ordinals) {
        if (route.sort === "newest" || route.sort === "oldest") return dateSections(ordinals);
        if (route.sort) return [];
        if (route.collection) return ordinals.length ? [{ at: 0, name: route.collection.trim(), isPage: true }] : [];
        if (!hasSections()) return [];
        const list = grouped(ordinals, data.collection, (name) => name);
        return isReadable(list, ordinals.length) ? list : [];
    }

    // Failed photos by their causes, the most frequent cause first.
    function byCause(ordinals) {
        const failures = data.failures();
        const groups = new Map();
        for (const ordinal of ordinals) {
            const { cause, meaning, remedy } = failures.get(ordinal) || {};
            if (!groups.has(cause)) groups.set(cause, { cause, meaning, remedy, ordinals: [] });
            groups.get(cause).ordinals.push(ordinal);
        }
        const list = [...groups.values()].sort((a, b) => b.ordinals.length - a.ordinals.length);
        let at = 0;
        const sections = list.map(({ ordinals, ...failure }) => {
            at += ordinals.length;
            return { at: at - ordinals.length, name: failure.meaning, failure };
        });
        return selection(list.flatMap(({ ordinals }) => ordinals), sections);
    }

    // The view of photos that passed the filters, in the order of the route.
    function arranged(route, ordinals) {
        if (route.state === "failed" && !route.sort) return byCause(ordinals);
        return selection(sorted(route, ordinals), sections(route, ordinals));
    }

    // Removes diacritics and converts to lower case. ASCII, which most texts consist of, skips the normalisation.
    const fold = (text) => text.replace(
        /[^\0-\x7f]+/g, (run) => run.normalize("NFKD").replace(/\p{M}/gu, "")).toLowerCase();
    // The texts of blocks, loaded or loading. Searched texts stay in memory up to a limit of 24 million characters.
    const texts = new Map();
    const kept = new Set();
    const prefetchedBlocks = 4;
    const maxLength = 24e6;
    let remaining = maxLength;

    async function searchable(block) {
        for (let next = block; next < Math.min(block + prefetchedBlocks, data.blocks); next++) {
            if (texts.has(next)) continue;
            const loading = data.text(next).then(fold);
            texts.set(next, loading);
            loading.catch(() => texts.delete(next));
        }
        const text = await texts.get(block);
        if (kept.has(block)) return text;
        if (text.length <= remaining) {
            kept.add(block);
            remaining -= text.length;
        } else {
            texts.delete(block);
        }
        return text;
    }

    function clearTexts() {
        texts.clear();
        kept.clear();
        remaining = maxLength;
    }

    // The key of a photo in the order of names: its caption, in which numbers count by their value. The caption
    // is the first part of a searchable line; a photo without one comes last.
    const lastName = "\uffff";
    const sortName = (line) => line.split("\t", 1)[0].replace(/\d+/g, (digits) => digits.padStart(12, "0")) || lastName;

    // The group of a name under a heading of its own: its first letter.
    function initial(name) {
        if (name === lastName) return "Without a caption";
        const letter = String.fromCodePoint(name.codePointAt(0)).toUpperCase();
        return /\p{L}/u.test(letter) ? letter : "0–9 and others";
    }

    function sortedByName(ordinals, names) {
        const compare = (a, b) => names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : a - b;
        const order = [...names.keys()].sort(compare);
        const list = grouped(order, (i) => initial(names[i]), (name) => name);
        return selection(order.map((i) => ordinals[i]), isReadable(list, order.length) ? list : []);
    }

    // Passes the view of a route to `show`. A search passes partial results first, and stops when `isCancelled` is
    // true.
    async function find(route, show, onProgress, isCancelled) {
        const words = fold(route.q).split(/\s+/).filter(Boolean);
        const isPlain = !words.length && !route.sort && !hasRejected() && sluice.route.filters.every((name) => !route[name]);
        if (isPlain) return show(all(), true);
        const candidates = filtered(route);
        const isByName = route.sort === "name";
        if (!words.length && !isByName) {
            return show(arranged(route, candidates), true);
        }
        const found = [];
        const names = [];
        let shownAt = performance.now();
        for (let i = 0; i < candidates.length;) {
            const block = data.blockOf(candidates[i]);
            const text = await searchable(block);
            if (isCancelled()) return;
            const lines = text.includes(words[0] || "") ? text.split("\n") : [];
            for (; i < candidates.length && data.blockOf(candidates[i]) === block; i++) {
                const line = lines[candidates[i] - data.blockStart(block)];
                if (line === undefined || !words.every((word) => line.includes(word))) continue;
                found.push(candidates[i]);
                if (isByName) names.push(sortName(line));
            }
            onProgress(i / candidates.length);
            if (performance.now() - shownAt > 400 && !route.sort) {
                show(arranged(route, found.slice()), false);
                shownAt = performance.now();
            }
        }
        if (isByName) return show(sortedByName(found, names), true);
        show(arranged(route, found), true);
    }

    return { find, all, hasRejected, collections, letter, formatLetters, clearTexts };
})();
