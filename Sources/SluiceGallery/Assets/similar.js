// SPDX-License-Identifier: MIT

// Finds photos that look alike: copies, whose perceptual hashes differ in few bits, and photos of a similar composition
// and colour, whose placeholders differ little.
sluice.similar = (() => {
    const data = sluice.data;
    // Scaled and recompressed copies of a photo differ in at most this many of the 64 bits.
    const maxBits = 10;
    // The largest difference between similar placeholders, as a share of the difference between black and white. One
    // in twenty pairs of the demo's landscapes is as close.
    const maxDifference = 0.12;
    // Of lightness, yellow-blue, red-green and opacity. The eye sees less of colours than of lightness.
    const weights = [1, 0.4, 0.4, 1];
    const opaque = { mean: 1, terms: [] };
    const maxFound = 24;
    const digits = 16;
    let blocks = new Map();
    let version;

    sluice.hashes = (number, text, placeholders) => { blocks.set(number, { text, placeholders: placeholders.split(" ") }); };

    // The hashes of a block in hexadecimal digits, without separators, and its placeholders.
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

    const differentBits = (one, other) => one && other ? bits(one[0] ^ other[0]) + bits(one[1] ^ other[1]) : Infinity;

    // The heights of a channel's waves by column and row; the mean is the wave 0, 0.
    const waves = ({ mean, terms }) => new Map([[0, mean], ...terms.map(({ column, row, height }) => [8 * column + row, height])]);
    // The mean square of a wave over the picture.
    const power = (wave) => (wave > 7 ? 0.5 : 1) * (wave & 7 ? 0.5 : 1);

    // The difference between two pictures, as the root of its mean square over them. Pictures of different shapes are
    // compared as if they had one shape. By Parseval's theorem this needs the waves only.
    function difference(one, other) {
        let sum = 0;
        weights.forEach((weight, channel) => {
            const [first, second] = [one[channel], other[channel]];
            for (const [wave, height] of first) sum += weight ** 2 * power(wave) * (height - (second.get(wave) || 0)) ** 2;
            for (const [wave, height] of second) if (!first.has(wave)) sum += weight ** 2 * power(wave) * height ** 2;
        });
        return Math.sqrt(sum);
    }

    function look({ text, placeholders }, at) {
        const channels = sluice.placeholder.channels(placeholders[at]);
        return { hash: hash(text, at), waves: channels && [...channels, opaque].slice(0, 4).map(waves) };
    }

    // The places of the photos that look most like the photo at a place: copies first, then the closest.
    async function find(place) {
        if (version !== data.version) [blocks, version] = [new Map(), data.version];
        const own = data.blockOf(place);
        const wanted = look(await block(own), place - data.blockStart(own));
        if (!wanted.hash && !wanted.waves) return [];
        const found = [];
        for (let number = 0; number < data.blocks; number++) {
            const other = await block(number);
            for (let at = 0; at < other.text.length / digits; at++) {
                const there = data.blockStart(number) + at;
                if (there === place) continue;
                const seen = look(other, at);
                const copied = differentBits(wanted.hash, seen.hash);
                const distance = copied <= maxBits ? copied - 100
                    : wanted.waves && seen.waves ? difference(wanted.waves, seen.waves) : Infinity;
                if (distance <= maxDifference) found.push({ there, distance });
            }
        }
        found.sort((a, b) => a.distance - b.distance || a.there - b.there);
        return found.slice(0, maxFound).map(({ there }) => there);
    }

    return { find };
})();
