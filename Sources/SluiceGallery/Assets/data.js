// SPDX-License-Identifier: MIT
"use strict";

// The only global name of the gallery's script. Data files are scripts that call sluice.chunk, sluice.index and
// sluice.text, because a page from file:// can load scripts but no other data.
const sluice = {};

// The gallery's data: a few properties of every photo (the index), and complete records of some (the chunks).
sluice.data = (() => {
    const facts = document.body.dataset;
    const chunkLength = Number(facts.chunk);
    const blockLength = 10000;
    const maxChunks = 40;
    let total = 0;
    let index;
    let loaded;
    let sections = [];
    let seqs = [];
    let known = 0;
    // A query string that distinguishes files of the rewritten gallery from those loaded before.
    let version = "";

    // Allocates the index for the number of photos that the page states. Keeps old values until they are replaced.
    function allocateIndex() {
        const old = index;
        total = Number(facts.items);
        index = {
            aspects: new Float32Array(total), states: new Uint8Array(total), hues: new Uint8Array(total),
            formats: new Uint8Array(total), sizes: new Uint32Array(total), dates: new Uint32Array(total), ratings: new Uint8Array(total),
        };
        for (const column in old) index[column].set(old[column].subarray(0, total));
        loaded = new Array(Number(facts.blocks));
        known = Math.min(known, total);
    }
    allocateIndex();

    const digit = new Uint8Array(128);
    [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].forEach((letter, value) => {
        digit[letter.charCodeAt(0)] = value;
    });

    sluice.index = (number, block) => {
        const start = number * blockLength;
        // Reads the number at an index of a string of base 64 numbers with `count` digits each.
        const read = (digits, at, count) => {
            let value = 0;
            for (let i = at * count; i < (at + 1) * count; i++) value = value * 64 + digit[digits.charCodeAt(i)];
            return value;
        };
        for (let i = 0; i < block.count; i++) {
            const share = read(block.aspects, i, 2);
            index.aspects[start + i] = Math.max(1, share) / Math.max(1, 4095 - share);
            index.states[start + i] = block.states.charCodeAt(i);
            index.hues[start + i] = block.hues.charCodeAt(i);
            index.formats[start + i] = block.formats.charCodeAt(i);
            index.sizes[start + i] = read(block.sizes, i, 3);
            index.dates[start + i] = block.dates ? read(block.dates, i, 5) : 0;
            index.ratings[start + i] = Number(block.ratings?.[i] || 0);
        }
        loaded[number] = {
            end: start + block.count,
            seqs: block.seqs.map(([place, seq]) => ({ at: start + place, seq })),
            sections: block.sections.map(([place, name]) => ({ at: start + place, name })),
            failures: (block.failures || []).map(({ at, ...failure }) => ({
                ...failure, ordinals: Array.from({ length: at.length / 3 }, (_, i) => start + read(at, i, 3)),
            })),
        };
    };

    const chunks = new Map();
    sluice.chunk = (number, records) => {
        if (sluice.edit) records.forEach(sluice.edit.amend);
        chunks.set(number, records);
        for (const oldest of chunks.keys()) {
            if (chunks.size <= maxChunks) break;
            chunks.delete(oldest);
        }
    };

    let received;
    sluice.text = (number, text) => { received = { number, text }; };

    // The searchable text of a block: one line per photo.
    async function text(number) {
        await script(`gallery/text/${number + 1}.js`);
        // The load event of a script fires before the next script runs.
        return received.text;
    }

    function script(address) {
        return new Promise((resolve, reject) => {
            const element = document.createElement("script");
            element.src = address + version;
            element.onload = () => { element.remove(); resolve(); };
            element.onerror = () => { element.remove(); reject(new Error(address)); };
            document.head.append(element);
        });
    }

    // Loads the index, eight blocks at a time, and calls `onProgress` after each step with the share loaded.
    async function loadIndex(onProgress) {
        const blocks = loaded.length;
        for (let first = 0; first < blocks; first += 8) {
            const numbers = [];
            // Load the first block alone, because the first view needs no more.
            const last = first === 0 ? 1 : Math.min(blocks, first + 8);
            for (let number = first; number < last; number++) numbers.push(number);
            await Promise.all(numbers.map((number) => script(`gallery/index/${number + 1}.js`)));
            for (const number of numbers) {
                known = loaded[number].end;
                seqs = seqs.concat(loaded[number].seqs);
                sections = sections.concat(loaded[number].sections);
            }
            onProgress(known / total);
            if (first === 0) first = 1 - 8;
        }
    }

    // Loads the index of the rewritten gallery. It is complete before any of it is shown.
    async function reload(stamp) {
        // Chunks still loading belong to the old gallery and must not arrive after new ones.
        await Promise.allSettled(loading.values());
        version = `?${encodeURIComponent(stamp)}`;
        allocateIndex();
        chunks.clear();
        await Promise.all([...loaded.keys()].map((number) => script(`gallery/index/${number + 1}.js`)));
        seqs = loaded.flatMap((block) => block.seqs);
        sections = loaded.flatMap((block) => block.sections);
        known = total;
    }

    // The failures of all photos by ordinal: the name and the meaning of the cause, and options that may help.
    function failures() {
        const found = new Map();
        for (const block of loaded) {
            for (const failure of block?.failures || []) for (const ordinal of failure.ordinals) found.set(ordinal, failure);
        }
        return found;
    }

    const loading = new Map();
    // The records of a chunk, from memory or loaded.
    function load(number) {
        if (chunks.has(number)) {
            const records = chunks.get(number);
            chunks.delete(number);
            chunks.set(number, records);
            return Promise.resolve(records);
        }
        if (!loading.has(number)) {
            const records = script(`gallery/data/${number + 1}.js`).then(() => chunks.get(number) || []);
            loading.set(number, records);
            records.finally(() => loading.delete(number)).catch(() => {});
        }
        return loading.get(number);
    }

    function seq(ordinal) {
        const run = sluice.lastAtOrBefore(seqs, ordinal);
        return run ? run.seq + ordinal - run.at : 0;
    }

    // The index of the photo with a sequence number, or -1.
    function ordinal(wanted) {
        for (let i = 0; i < seqs.length; i++) {
            const end = i + 1 < seqs.length ? seqs[i + 1].at : known;
            const place = seqs[i].at + wanted - seqs[i].seq;
            if (place >= seqs[i].at && place < end) return place;
        }
        return -1;
    }

    return {
        chunkLength, script, loadIndex, reload, load, text, seq, ordinal, failures,
        chunkOf: (place) => Math.floor(place / chunkLength),
        blockOf: (place) => Math.floor(place / blockLength),
        blockStart: (block) => block * blockLength,
        peek: (place) => chunks.get(Math.floor(place / chunkLength))?.[place % chunkLength],
        record: (place) => load(Math.floor(place / chunkLength)).then((records) => records[place % chunkLength]),
        collection: (place) => sluice.lastAtOrBefore(sections, place)?.name,
        get blocks() { return loaded.length; },
        get total() { return total; },
        get index() { return index; },
        get known() { return known; },
        get sections() { return sections; },
        get version() { return version; },
    };
})();
