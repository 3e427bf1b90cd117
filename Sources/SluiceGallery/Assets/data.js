// SPDX-License-Identifier: MIT
"use strict";

// The one name that the gallery's script has in the page. Data chunks are scripts that call sluice.chunk, sluice.index
// and sluice.text: a page from file:// may load scripts, and nothing else.
const sluice = {};

// What the gallery knows: a little of every photo (the index), and everything of some (the chunks).
sluice.data = (() => {
    const facts = document.body.dataset;
    const chunkLength = Number(facts.chunk);
    const blockLength = 10000;
    const chunksKept = 40;
    let total = 0;
    let index;
    let loaded;
    let sections = [];
    let seqs = [];
    let known = 0;
    // Tells what the page now loads from what it loaded before the gallery was written anew.
    let version = "";

    // Makes room for as many photos as the page says there are; what is known of the first ones stays until it is replaced.
    function makeRoom() {
        const old = index;
        total = Number(facts.items);
        index = {
            aspects: new Float32Array(total), states: new Uint8Array(total), hues: new Uint8Array(total),
            formats: new Uint8Array(total), sizes: new Uint32Array(total), dates: new Uint32Array(total),
        };
        for (const column in old) index[column].set(old[column].subarray(0, total));
        loaded = new Array(Number(facts.blocks));
        known = Math.min(known, total);
    }
    makeRoom();

    const digit = new Uint8Array(128);
    [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].forEach((letter, value) => {
        digit[letter.charCodeAt(0)] = value;
    });

    sluice.index = (number, block) => {
        const start = number * blockLength;
        // A number of so many digits in base 64.
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
        }
        loaded[number] = {
            end: start + block.count,
            seqs: block.seqs.map(([place, seq]) => ({ at: start + place, seq })),
            sections: block.sections.map(([place, name]) => ({ at: start + place, name })),
        };
    };

    const chunks = new Map();
    sluice.chunk = (number, records) => {
        chunks.set(number, records);
        for (const oldest of chunks.keys()) {
            if (chunks.size <= chunksKept) break;
            chunks.delete(oldest);
        }
    };

    let arrived;
    sluice.text = (number, text) => { arrived = { number, text }; };

    // What there is to search in a block of photos: a line for each.
    async function text(number) {
        await script(`gallery/text/${number + 1}.js`);
        // A script's end is told before the next script runs.
        return arrived.text;
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

    // Loads the index, some blocks at a time, and tells whenever more of it is known without a gap.
    async function loadIndex(tell) {
        const blocks = loaded.length;
        for (let first = 0; first < blocks; first += 8) {
            const numbers = [];
            // The first block alone: it is all that the first view needs.
            const last = first === 0 ? 1 : Math.min(blocks, first + 8);
            for (let number = first; number < last; number++) numbers.push(number);
            await Promise.all(numbers.map((number) => script(`gallery/index/${number + 1}.js`)));
            for (const number of numbers) {
                known = loaded[number].end;
                seqs = seqs.concat(loaded[number].seqs);
                sections = sections.concat(loaded[number].sections);
            }
            tell(known / total);
            if (first === 0) first = 1 - 8;
        }
    }

    // Loads anew what a gallery that was written anew says of itself, all of it before any of it is shown.
    async function renew(stamp) {
        // A chunk that is still coming is the old one, and must not come after the new.
        await Promise.allSettled(under.values());
        version = `?${encodeURIComponent(stamp)}`;
        makeRoom();
        chunks.clear();
        await Promise.all([...loaded.keys()].map((number) => script(`gallery/index/${number + 1}.js`)));
        seqs = loaded.flatMap((block) => block.seqs);
        sections = loaded.flatMap((block) => block.sections);
        known = total;
    }

    const under = new Map();
    // The records of a chunk, loaded if they are not there.
    function load(number) {
        if (chunks.has(number)) {
            const records = chunks.get(number);
            chunks.delete(number);
            chunks.set(number, records);
            return Promise.resolve(records);
        }
        if (!under.has(number)) {
            const loading = script(`gallery/data/${number + 1}.js`).then(() => chunks.get(number) || []);
            under.set(number, loading);
            loading.finally(() => under.delete(number)).catch(() => {});
        }
        return under.get(number);
    }

    // The last element of a sorted list whose place is not behind `value`.
    function lastAtOrBefore(list, value) {
        let low = 0;
        let high = list.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (list[middle].at <= value) low = middle + 1; else high = middle;
        }
        return list[low - 1];
    }

    function seq(ordinal) {
        const run = lastAtOrBefore(seqs, ordinal);
        return run ? run.seq + ordinal - run.at : 0;
    }

    // The place of the photo with that number; -1 if there is none.
    function ordinal(wanted) {
        for (let i = 0; i < seqs.length; i++) {
            const end = i + 1 < seqs.length ? seqs[i + 1].at : known;
            const place = seqs[i].at + wanted - seqs[i].seq;
            if (place >= seqs[i].at && place < end) return place;
        }
        return -1;
    }

    return {
        chunkLength, loadIndex, renew, load, text, seq, ordinal,
        chunkOf: (place) => Math.floor(place / chunkLength),
        blockOf: (place) => Math.floor(place / blockLength),
        blockStart: (block) => block * blockLength,
        peek: (place) => chunks.get(Math.floor(place / chunkLength))?.[place % chunkLength],
        record: (place) => load(Math.floor(place / chunkLength)).then((records) => records[place % chunkLength]),
        collection: (place) => lastAtOrBefore(sections, place)?.name,
        get blocks() { return loaded.length; },
        get total() { return total; },
        get index() { return index; },
        get known() { return known; },
        get sections() { return sections; },
    };
})();
