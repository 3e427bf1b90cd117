// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gallery } from "./gallery.mjs";

const { sluice: { zip, texts, palette } } = await gallery([]);
const bytes = (text) => new TextEncoder().encode(text);

async function archive(files) {
    const parts = [];
    await zip.archive(files, async ({ text }) => bytes(text), async (part) => { parts.push(part); });
    return Buffer.concat(parts);
}

// Reads an archive from its end, as programs do.
function unpack(buffer) {
    const end = buffer.lastIndexOf("PK\x05\x06", undefined, "latin1");
    const [count, size, start] = [buffer.readUInt16LE(end + 10), buffer.readUInt32LE(end + 12), buffer.readUInt32LE(end + 16)];
    assert.equal(start + size, end);
    const files = [];
    for (let i = 0, at = start; i < count; i++) {
        assert.equal(buffer.toString("latin1", at, at + 4), "PK\x01\x02");
        const [sum, length, nameLength] = [buffer.readUInt32LE(at + 16), buffer.readUInt32LE(at + 24), buffer.readUInt16LE(at + 28)];
        const name = buffer.toString("utf8", at + 46, at + 46 + nameLength);
        const local = buffer.readUInt32LE(at + 42);
        assert.equal(buffer.toString("latin1", local, local + 4), "PK\x03\x04");
        assert.deepEqual(buffer.subarray(local + 4, local + 28), buffer.subarray(at + 6, at + 30));
        assert.equal(buffer.toString("utf8", local + 30, local + 30 + nameLength), name);
        files.push({ name, sum, text: buffer.toString("utf8", local + 30 + nameLength, local + 30 + nameLength + length) });
        at += 46 + nameLength + buffer.readUInt16LE(at + 30);
    }
    return files;
}

describe("Archive", { timeout: 10_000 }, () => {
    test("The checksum is CRC-32", () => {
        assert.equal(zip.crc(bytes("123456789")), 0xcbf43926);
        assert.equal(zip.crc(bytes("")), 0);
    });

    test("An archive holds its files under their names, also with accents, and the same files give the same bytes", async () => {
        const files = [{ name: "a.jpg", text: "one" }, { name: "Zürich/日本.jpg", text: "two, längere" }, { name: "empty", text: "" }];
        const buffer = await archive(files);
        assert.deepEqual(unpack(buffer).map(({ name, text }) => ({ name, text })), files);
        for (const { sum, text } of unpack(buffer)) assert.equal(sum, zip.crc(bytes(text)));
        assert.deepEqual(await archive(files), buffer);
    });

    test("An archive without files is valid", async () => {
        assert.deepEqual(unpack(await archive([])), []);
    });

    test("Offsets from 4 GB and counts from 65535 take the 64-bit fields", () => {
        const entry = { name: "x", size: 1, sum: 0, offset: 5e9 };
        const listing = Buffer.from(zip.listing(entry));
        assert.equal(listing.readUInt32LE(42), 0xffffffff);
        assert.deepEqual([listing.readUInt16LE(47), listing.readUInt16LE(49), listing.readBigUInt64LE(51)], [1, 8, 5_000_000_000n]);
        const end = Buffer.from(zip.end(70_000, 5e9, 4e6));
        assert.equal(end.readUInt32LE(0), 0x06064b50);
        assert.deepEqual([24, 32, 40, 48].map((at) => end.readBigUInt64LE(at)), [70_000n, 70_000n, 4_000_000n, 5_000_000_000n]);
        assert.equal(end.readUInt32LE(56), 0x07064b50);
        assert.equal(end.readBigUInt64LE(64), 5_004_000_000n);
        assert.deepEqual([end.readUInt32LE(76), end.readUInt16LE(86), end.readUInt32LE(92)], [0x06054b50, 0xffff, 0xffffffff]);
        assert.equal(zip.end(3, 100, 50).length, 22);
    });

    test("A file that cannot be read ends the archive", async () => {
        await assert.rejects(zip.archive([{ name: "a" }], async () => { throw new Error("gone"); }, async () => {}), /gone/);
    });
});

describe("Copied texts", { timeout: 10_000 }, () => {
    const photo = {
        seq: 7, url: "https://example.org/7.jpg", file: "originals/a%20b.jpg", caption: "Dawn\nat sea", author: "Ann",
        license: "CC BY 4.0", license_url: "https://example.org/by", page_url: "https://example.org/7",
    };

    test("A credit names photo, author, licence and page in one line", () => {
        assert.equal(texts.credit(photo), "“Dawn at sea”, by Ann, CC BY 4.0 (https://example.org/by), https://example.org/7");
        assert.equal(texts.credit({ ...photo, attribution: "Photo by Ann / Example" }).split(", ")[1], "Photo by Ann / Example");
        assert.equal(texts.credit({ seq: 3 }), "“Photo 3”");
    });

    test("A file name is the path in the mirror", () => {
        assert.equal(texts.file(photo), "originals/a b.jpg");
    });

    test("The command passes a list to the shell that the shell does not interpret", () => {
        const evil = { ...photo, caption: "'\nEND\n$(rm -rf ~)`x`\u009b31m\u2028\x1b[0m\x7f" };
        const lines = texts.command([photo, evil]).split("\n");
        assert.equal(lines[0], "sluice mirror - --out selection <<'END'");
        assert.deepEqual(lines.slice(3), ["END", ""]);
        assert.equal(JSON.parse(lines[2]).caption, evil.caption);
        assert.match(lines[2], /^[\x20-\x7e]*$/);
        assert.equal(JSON.parse(lines[1]).file, undefined);
        assert.equal(JSON.parse(texts.command([{ ...photo, date: 1751087686 }]).split("\n")[1]).date, "2025-06-28T05:14:46Z");
    });
});

describe("Main colours", { timeout: 10_000 }, () => {
    const pixels = (...colors) => colors.flatMap(([count, ...color]) => Array.from({ length: count }, () => color).flat());

    test("The most frequent colour comes first, and a small different part has its own", () => {
        const picture = pixels([10, 200, 20, 20, 255], [30, 10, 10, 220, 255], [1, 250, 250, 250, 255]);
        assert.deepEqual(palette(picture, 6), ["#0a0adc", "#c81414", "#fafafa"]);
    });

    test("Every main colour is one of the picture's", () => {
        // A red and a green whose mean would be brown, and shades that are too similar to be split.
        const picture = pixels([50, 120, 100, 30, 255], [30, 100, 120, 30, 255], [20, 115, 118, 33, 255], [40, 0, 0, 90, 255]);
        assert.deepEqual(palette(picture, 6), ["#737621", "#00005a"]);
    });

    test("Similar colours are combined, and transparent pixels do not count", () => {
        assert.deepEqual(palette(pixels([2, 100, 100, 100, 255], [2, 110, 110, 110, 255], [9, 255, 0, 0, 0]), 6), ["#646464"]);
        assert.deepEqual(palette(pixels([4, 1, 2, 3, 0]), 6), []);
        assert.equal(palette(Array.from({ length: 4000 }, (_, i) => i * 37 % 256 | (i % 4 === 3 ? 255 : 0)), 6).length, 6);
    });
});
