// SPDX-License-Identifier: MIT
"use strict";

// The parts of a ZIP archive whose files are stored without compression, because photos are compressed already.
sluice.zip = (() => {
    const table = Uint32Array.from({ length: 256 }, (_, value) => {
        for (let i = 0; i < 8; i++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
        return value;
    });

    function crc(bytes) {
        let sum = 0xffffffff;
        for (let i = 0; i < bytes.length; i++) sum = table[(sum ^ bytes[i]) & 255] ^ (sum >>> 8);
        return (sum ^ 0xffffffff) >>> 0;
    }

    // Joins little-endian numbers, as pairs of a value and its length in bytes, and texts in UTF-8.
    function pack(...parts) {
        const bytes = parts.flatMap((part) => {
            if (typeof part === "string") return [...new TextEncoder().encode(part)];
            const [value, length] = part;
            return Array.from({ length }, (_, i) => Math.floor(value / 256 ** i) % 256);
        });
        return Uint8Array.from(bytes);
    }

    const nameLength = (name) => new TextEncoder().encode(name).length;
    const most16 = 0xffff;
    const most32 = 0xffffffff;
    // Version 2.0; names in UTF-8; stored; 1 January 1980, so that the same photos give the same archive.
    const common = ({ name, size, sum }) => [[20, 2], [0x0800, 2], [0, 2], [0, 2], [33, 2], [sum, 4], [size, 4], [size, 4], [nameLength(name), 2]];

    // What precedes the bytes of a file.
    const header = (entry) => pack("PK\x03\x04", ...common(entry), [0, 2], entry.name);

    // A file's entry in the directory. An offset of 4 GB or more takes a ZIP64 field.
    function listing(entry) {
        const far = entry.offset >= most32 ? [[1, 2], [8, 2], [entry.offset, 8]] : [];
        return pack("PK\x01\x02", [far.length ? 45 : 20, 2], ...common(entry), [far.length ? 12 : 0, 2], [0, 2], [0, 2], [0, 2], [0, 4],
            [Math.min(entry.offset, most32), 4], entry.name, ...far);
    }

    // What follows a directory of `count` files, which begins at `offset` and has `size` bytes.
    function end(count, offset, size) {
        const isLarge = count >= most16 || offset >= most32 || size >= most32;
        const large = isLarge ? [
            "PK\x06\x06", [44, 8], [45, 2], [45, 2], [0, 4], [0, 4], [count, 8], [count, 8], [size, 8], [offset, 8],
            "PK\x06\x07", [0, 4], [offset + size, 8], [1, 4],
        ] : [];
        return pack(...large, "PK\x05\x06", [0, 2], [0, 2], [Math.min(count, most16), 2], [Math.min(count, most16), 2],
            [Math.min(size, most32), 4], [Math.min(offset, most32), 4], [0, 2]);
    }

    // Writes the files of a list in order. `read` returns the bytes of a file; `write` takes bytes. Holds one file in
    // memory.
    async function archive(files, read, write) {
        const entries = [];
        let offset = 0;
        const add = async (bytes) => { await write(bytes); offset += bytes.length; };
        for (const file of files) {
            const bytes = await read(file);
            if (bytes.length >= most32) throw new Error(`${file.name} is too large for an archive`);
            const entry = { name: file.name, size: bytes.length, sum: crc(bytes), offset };
            await add(header(entry));
            await add(bytes);
            entries.push(entry);
        }
        const start = offset;
        for (const entry of entries) await add(listing(entry));
        await add(end(entries.length, start, offset - start));
    }

    return { crc, header, listing, end, archive };
})();
