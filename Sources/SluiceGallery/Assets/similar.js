// SPDX-License-Identifier: MIT

// Finds photos that look alike: their perceptual hashes differ in few bits.
sluice.similar = (() => {
    const data = sluice.data;
    // Scaled and recompressed copies of a photo differ in at most this many of the 64 bits.
    const maxDistance = 10;
    const maxFound = 24;
    const digits = 16;
    let blocks = new Map();
    let version;

    sluice.hashes = (number, text) => { blocks.set(number, text); };

    // The hashes of a block in hexadecimal digits, without separators.
    async function block(number) {
        if (!blocks.has(number)) await data.script(`gallery/hashes/${number + 1}.js`);
        return blocks.get(number);
    }

    // The two halves of a hash; undefined for a photo without one.
    function hash(text, at) {
        const [first, second] = [0, 8].map((start) => parseInt(text.slice(digits * at + start, digits * at + start + 8), 16));
        return Number.isNaN(first) ? undefined : [first, second];
    }

    function bits(number) {
        let count = 0;
        for (let rest = number >>> 0; rest; rest &= rest - 1) count++;
        return count;
    }

    // The places of the photos that look most like the photo at a place, the closest first.
    async function find(place) {
        if (version !== data.version) [blocks, version] = [new Map(), data.version];
        const own = data.blockOf(place);
        const wanted = hash(await block(own), place - data.blockStart(own));
        if (!wanted) return [];
        const found = [];
        for (let number = 0; number < data.blocks; number++) {
            const text = await block(number);
            for (let at = 0; at < text.length / digits; at++) {
                const other = hash(text, at);
                const distance = other ? bits(wanted[0] ^ other[0]) + bits(wanted[1] ^ other[1]) : Infinity;
                const there = data.blockStart(number) + at;
                if (distance <= maxDistance && there !== place) found.push({ place: there, distance });
            }
        }
        found.sort((a, b) => a.distance - b.distance || a.place - b.place);
        return found.slice(0, maxFound).map((photo) => photo.place);
    }

    return { find };
})();
