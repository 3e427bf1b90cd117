// SPDX-License-Identifier: MIT

// Loads the shipped gallery scripts outside a browser, with data files that are encoded as IndexBlock, TextBlock
// and HashBlock write them.

import { readFileSync } from "node:fs";
import { compileFunction } from "node:vm";

const assets = new URL("../../Sources/SluiceGallery/Assets/", import.meta.url);
// The scripts that need no page, in an order in which they can be loaded.
const code = ["data", "common", "layout", "view", "zoom", "zip", "texts", "palette", "placeholder", "similar", "marks"].map((name) => readFileSync(new URL(`${name}.js`, assets), "utf8")).join("");
const load = compileFunction(`${code}\nreturn sluice;`, ["document", "performance"], { filename: "gallery.js" });

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const blockLength = 10000;

function digits(number, count) {
    let text = "";
    for (let i = count - 1; i >= 0; i--) text += alphabet[Math.floor(number / 64 ** i) % 64];
    return text;
}

function indexBlock(photos, previous) {
    const block = { count: photos.length, aspects: "", states: "", hues: "", formats: "", sizes: "", dates: "", seqs: [], sections: [] };
    photos.forEach((photo, i) => {
        const before = i > 0 ? photos[i - 1] : undefined;
        if (!before || before.seq + 1 !== photo.seq) block.seqs.push([i, photo.seq]);
        if (!(before ?? previous) || (before ?? previous).section !== photo.section) {
            block.sections.push(photo.section === undefined ? [i] : [i, photo.section]);
        }
        block.aspects += digits(Math.round(4095 * photo.aspect / (photo.aspect + 1)), 2);
        block.states += photo.state[0];
        block.hues += photo.hue;
        block.formats += photo.format;
        block.sizes += digits(photo.size, 3);
        block.dates += digits(photo.date, 5);
        if (photo.rating !== undefined) block.ratings = (block.ratings ?? "") + photo.rating;
    });
    if (photos.every((photo) => photo.date === 0)) delete block.dates;
    const causes = new Set(photos.map(({ failure }) => failure).filter(Boolean));
    if (causes.size) {
        block.failures = [...causes].map((failure) => (
            { ...failure, at: photos.map((photo, i) => photo.failure === failure ? digits(i, 3) : "").join("") }));
    }
    return block;
}

// Creates `count` photos with default facts, changed by `change(photo, position)`.
export function photos(count, change = () => {}) {
    return Array.from({ length: count }, (_, i) => {
        const photo = {
            seq: i + 1, aspect: 1.5, state: "done", hue: "r", format: "j", size: 100, date: 0, section: undefined,
            text: `photo ${i + 1}`,
        };
        change(photo, i);
        return photo;
    });
}

// Loads the scripts into a page with these photos. `files` counts the requests of each data file, and `clock.now` is
// the time in milliseconds. A file whose name is in `missing` cannot be loaded.
export async function gallery(list, { loadsIndex = true } = {}) {
    const blocks = Math.ceil(list.length / blockLength);
    const files = new Map();
    const missing = new Set();
    const clock = { now: 0 };
    let sluice;
    const run = (path) => {
        const [, kind, number] = /^gallery\/(index|text|hashes|data)\/(\d+)\.js$/.exec(path.split("?")[0]);
        const first = (number - 1) * (kind === "data" ? 200 : blockLength);
        const part = list.slice(first, first + (kind === "data" ? 200 : blockLength));
        if (kind === "index") sluice.index(number - 1, indexBlock(part, list[first - 1]));
        else if (kind === "hashes") sluice.hashes(number - 1, part.map((photo) => photo.hash ?? "-".repeat(16)).join(""), part.map((photo) => photo.placeholder ?? "").join(" "));
        else if (kind === "text") sluice.text(number - 1, part.map((photo) => `${photo.text}\n`).join(""));
        else sluice.chunk(number - 1, part.map(({ seq }) => ({ seq })));
    };
    const dataset = {
        items: list.length, blocks, chunk: 200, sections: new Set(list.map(({ section }) => section)).size,
        formats: "jpeg=j png=p webp=w other=o",
    };
    const document = {
        body: { dataset },
        createElement: () => ({ remove() {} }),
        head: {
            append(script) {
                files.set(script.src, (files.get(script.src) ?? 0) + 1);
                // As in a browser, all promises settle between two scripts.
                setImmediate(() => {
                    if (missing.has(script.src)) return script.onerror();
                    run(script.src);
                    script.onload();
                });
            },
        },
    };
    sluice = load(document, { now: () => clock.now });
    if (loadsIndex) await sluice.data.loadIndex(() => {});
    // Finds the photos of a URL's fragment. Returns all views that were shown, as sequence numbers and headings.
    const find = async (hash, { onProgress = () => {}, isCancelled = () => false } = {}) => {
        const shown = [];
        await sluice.view.find(sluice.route.parse(hash), (view, isComplete) => {
            const seqs = Array.from({ length: view.length }, (_, place) => sluice.data.seq(view.at(place)));
            shown.push({ view, seqs, isComplete, headings: view.sections.map(({ at, name }) => [at, name]) });
        }, onProgress, isCancelled);
        return shown;
    };
    const seqs = async (hash) => (await find(hash)).at(-1).seqs;
    return { sluice, find, seqs, files, missing, clock };
}
