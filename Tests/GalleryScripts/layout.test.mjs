// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gallery, photos } from "./gallery.mjs";

// Aspect ratios from very tall to very wide, the same in every run.
function variedPhotos(count) {
    let seed = 7;
    return photos(count, (photo) => {
        seed = seed * 48271 % 2147483647;
        photo.aspect = 0.05 * 400 ** (seed / 2147483647);
    });
}

async function grid(list, width) {
    const { sluice } = await gallery(list);
    const view = sluice.view.all();
    const rows = sluice.layout.grid(view, width);
    const aspect = (place) => sluice.layout.displayedAspect(sluice.data.index.aspects[view.at(place)]);
    const rowWidth = (row) => {
        let sum = rows.gap * (rows.ends[row] - rows.starts[row] - 1);
        for (let place = rows.starts[row]; place < rows.ends[row]; place++) sum += aspect(place) * rows.exact[row];
        return sum;
    };
    return { rows, rowWidth, layout: sluice.layout, view };
}

const indices = (rows) => rows.tops.map((_, row) => row);

describe("Layout", { timeout: 10_000 }, () => {
    test("Every photo is in exactly one row, in order", async () => {
        for (const width of [1, 150, 599, 600, 1280, 8000]) {
            const { rows } = await grid(variedPhotos(500), width);
            let next = 0;
            for (const row of indices(rows)) {
                assert.equal(rows.starts[row], next, `row ${row} at width ${width}`);
                assert.ok(rows.ends[row] > next);
                next = rows.ends[row];
            }
            assert.equal(next, 500);
        }
    });

    test("All rows but the last fill the width exactly, and the last one does not exceed it", async () => {
        for (const width of [320, 768, 1280, 2560]) {
            const { rows, rowWidth } = await grid(variedPhotos(300), width);
            const last = rows.tops.length - 1;
            for (const row of indices(rows).slice(0, -1)) assert.ok(Math.abs(rowWidth(row) - width) < 0.01, `row ${row} at ${width}`);
            assert.ok(rowWidth(last) <= width + 0.01);
        }
    });

    test("The heights of rows of equal photos are near the target", async () => {
        for (const width of [400, 1000, 2000]) {
            const target = Math.min(320, Math.max(140, 105 + width * 0.1));
            const { rows } = await grid(photos(100), width);
            for (const height of rows.heights) assert.ok(height > target * 0.6 && height < target * 1.7, `${height} at ${width}`);
        }
    });

    test("A row is closed before or after a photo, whichever is nearer to the target height", async () => {
        // At width 1000 the target is 205: four photos of aspect 1.5 give a height of 164, three give 220.
        const { rows } = await grid(photos(8), 1000);
        assert.deepEqual(rows.ends, [3, 6, 8]);
        assert.deepEqual(rows.heights.slice(0, 2), [220, 220]);
        assert.equal(rows.exact[2], 205);
    });

    test("A single photo is not enlarged beyond the target height", async () => {
        const { rows } = await grid(photos(1), 1000);
        assert.deepEqual([rows.tops, rows.heights, rows.height], [[0], [205], 211]);
    });

    test("Extreme aspect ratios are cropped", async () => {
        const { layout, rows } = await grid(photos(3, (photo, i) => { photo.aspect = [4000, 0.0003, 4000][i]; }), 1000);
        assert.deepEqual([1000, 3.5, 1, 0.4, 0].map(layout.displayedAspect), [3.4, 3.4, 1, 0.45, 0.45]);
        for (const height of rows.heights) assert.ok(height >= 100 && height < 400, `${height}`);
    });

    test("Rows follow each other at whole pixels with the same gap", async () => {
        for (const [width, gap] of [[599, 4], [600, 6]]) {
            const { rows } = await grid(variedPhotos(200), width);
            assert.equal(rows.gap, gap);
            for (const row of indices(rows).slice(1)) {
                assert.ok(Number.isInteger(rows.tops[row]));
                assert.equal(rows.tops[row], rows.tops[row - 1] + rows.heights[row - 1] + gap);
            }
        }
    });

    test("Sections start with a heading that counts their photos, and no row spans two of them", async () => {
        const { rows } = await grid(photos(10, (photo, i) => { photo.section = i < 7 ? "A" : "B"; }), 1000);
        const headings = [...rows.headings].map(([row, heading]) => [rows.starts[row], rows.ends[row], heading.name, heading.count]);
        assert.deepEqual(headings, [[0, 0, "A", 7], [7, 7, "B", 3]]);
        assert.ok(indices(rows).every((row) => rows.ends[row] <= 7 || rows.starts[row] >= 7));
        // The first heading is lower, because it needs no distance to earlier photos.
        assert.deepEqual([...rows.headings.keys()].map((row) => rows.heights[row]), [46, 84]);
    });

    test("The row of a photo and the row at a position are found", async () => {
        const { rows } = await grid(variedPhotos(300).map((photo, i) => ({ ...photo, section: `${Math.floor(i / 50)}` })), 900);
        for (const row of indices(rows)) {
            for (let place = rows.starts[row]; place < rows.ends[row]; place++) assert.equal(rows.of(place), row);
            assert.equal(rows.at(rows.tops[row]), row);
            assert.equal(rows.at(rows.tops[row] + rows.heights[row] - 1), row);
        }
        assert.equal(rows.at(-1000), 0);
        assert.equal(rows.at(rows.height + 1000), rows.tops.length - 1);
    });

    test("An empty view has no rows, and a table has one of 60 pixels for each photo", async () => {
        assert.deepEqual((await grid([], 1000)).rows.tops, []);
        const { layout, view } = await grid(photos(3), 1000);
        const rows = layout.table(view);
        assert.deepEqual([rows.tops, rows.ends, rows.height, rows.gap], [[0, 60, 120], [1, 2, 3], 180, 0]);
    });

    test("A view that fits into a page is not scaled", async () => {
        const { layout } = await grid([], 1000);
        const scale = layout.scale(8e6, 800);
        assert.equal(scale.page, 8e6);
        for (const y of [0, 1e6, 4e6, 8e6 - 800]) assert.deepEqual([scale.toView(y), scale.toPage(y)], [y, y]);
    });

    test("A higher view is mapped to a page of 8 million pixels, exactly at both ends", async () => {
        const { layout } = await grid([], 1000);
        const height = 3e8;
        const visible = 800;
        const scale = layout.scale(height, visible);
        assert.equal(scale.page, 8e6);
        assert.equal(scale.toView(0), 0);
        assert.equal(scale.toView(5000), 5000);
        assert.equal(scale.toView(8e6 - visible), height - visible);
        assert.equal(scale.toView(8e6 - visible - 5000), height - visible - 5000);
        let last = -1;
        for (let y = 0; y <= 8e6 - visible; y += 9973) {
            const inView = scale.toView(y);
            assert.ok(inView > last, `${y}`);
            assert.ok(Math.abs(scale.toPage(inView) - y) < 0.001, `${y}`);
            last = inView;
        }
    });

    test("Covers are squares in columns that fill the width", async () => {
        const { layout, view } = await grid(photos(7), 1000);
        for (const [width, columns] of [[340, 2], [366, 2], [1000, 4], [1205, 5]]) {
            const rows = layout.collections(view, width);
            assert.equal(rows.columns, columns);
            const room = width - columns * rows.across - (columns - 1) * rows.gap;
            assert.ok(room >= 0 && room < columns, `${room} at width ${width}`);
            assert.deepEqual(rows.starts, Array.from({ length: Math.ceil(7 / columns) }, (_, row) => row * columns));
            assert.equal(rows.ends.at(-1), 7);
        }
    });
});
