// SPDX-License-Identifier: MIT

// Decodes a ThumbHash to a blurred picture on a canvas; returns null for an invalid hash.
sluice.placeholder = (() => {
    // The longer side of the canvas in pixels.
    const maxSide = 16;

    function bytesOf(text) {
        try { return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)); } catch { return new Uint8Array(); }
    }

    // Reads the mean and the cosine terms of each channel: lightness, yellow-blue, red-green and opacity.
    function read(bytes) {
        if (bytes.length < 5) return null;
        const head = bytes[0] | bytes[1] << 8 | bytes[2] << 16;
        const shape = bytes[3] | bytes[4] << 8;
        const hasAlpha = (head >> 23) === 1;
        const [long, short] = [hasAlpha ? 5 : 7, Math.max(3, shape & 7)];
        const isWide = (shape >> 15) === 1;
        let at = (hasAlpha ? 6 : 5) * 2;
        const nibble = () => { const byte = bytes[at >> 1]; return (at++ & 1 ? byte >> 4 : byte) & 15; };
        function channel(mean, columns, rows, scale) {
            const terms = [];
            for (let row = 0; row < rows; row++) {
                for (let column = row ? 0 : 1; column * rows < columns * (rows - row); column++) {
                    terms.push({ column, row, height: (nibble() / 7.5 - 1) * scale * 2 });
                }
            }
            return { mean, terms };
        }
        const channels = [
            channel((head & 63) / 63, isWide ? long : short, isWide ? short : long, (head >> 18 & 31) / 31),
            channel((head >> 6 & 63) / 31.5 - 1, 3, 3, (shape >> 3 & 63) / 63 * 1.25),
            channel((head >> 12 & 63) / 31.5 - 1, 3, 3, (shape >> 9 & 63) / 63 * 1.25),
        ];
        if (hasAlpha) channels.push(channel((bytes[5] & 15) / 15, 5, 5, (bytes[5] >> 4) / 15));
        return Math.ceil(at / 2) === bytes.length ? { channels, aspect: isWide ? long / short : short / long } : null;
    }

    // The cosine waves over a side of the canvas, by the side's length, the number of half waves, and the place.
    const waves = Array.from({ length: maxSide + 1 }, (_, length) => Array.from({ length: 8 }, (_, count) =>
        Float64Array.from({ length }, (_, place) => Math.cos(Math.PI * count * (place + 0.5) / length))));

    function paint({ channels, aspect }) {
        const canvas = document.createElement("canvas");
        canvas.width = Math.max(1, Math.round(aspect > 1 ? maxSide : maxSide * aspect));
        canvas.height = Math.max(1, Math.round(aspect > 1 ? maxSide / aspect : maxSide));
        const context = canvas.getContext("2d");
        const image = context.createImageData(canvas.width, canvas.height);
        const [across, down] = [waves[canvas.width], waves[canvas.height]];
        for (let y = 0, at = 0; y < canvas.height; y++) {
            for (let x = 0; x < canvas.width; x++, at += 4) {
                const [light, yellow, red, alpha = 1] = channels.map(({ mean, terms }) => terms.reduce(
                    (sum, { column, row, height }) => sum + height * across[column][x] * down[row][y], mean));
                const blue = light - 2 / 3 * yellow;
                const bright = (3 * light - blue + red) / 2;
                [bright, bright - red, blue, alpha].forEach((value, i) => { image.data[at + i] = 255 * value; });
            }
        }
        context.putImageData(image, 0, 0);
        return canvas;
    }

    const parse = (text) => text ? read(bytesOf(text)) : null;
    const decode = (text) => {
        const hash = parse(text);
        return hash && paint(hash);
    };
    // The mean and the waves of lightness, yellow-blue, red-green and, with transparent parts, opacity; undefined for
    // an invalid hash.
    decode.channels = (text) => parse(text)?.channels;
    // Whether the picture has transparent parts, as its hash states.
    decode.isTransparent = (text) => text ? bytesOf(text)[2] > 127 : false;
    return decode;
})();
