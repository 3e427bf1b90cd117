// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gallery } from "./gallery.mjs";

const { sluice: { zoom } } = await gallery([]);
const stage = { width: 1000, height: 800 };
const photo = { width: 4000, height: 2000 };
const panorama = { width: 4000, height: 400 };
const stamp = { width: 100, height: 50 };
const scales = zoom.scales(stage, photo);

describe("Zoom", { timeout: 10_000 }, () => {
    test("A photo fits, fills the stage, or has its own size in pixels of the screen", () => {
        assert.deepEqual(scales, { fit: 0.25, fill: 0.4, actual: 1, most: 8 });
        assert.equal(zoom.scales(stage, photo, 2).actual, 0.5);
    });

    // A picture of one pixel filled the window, at 90,000 %.
    test("A small picture is enlarged to four times its size, and to at most 32 times", () => {
        assert.deepEqual(zoom.scales(stage, stamp), { fit: 4, fill: 16, actual: 1, most: 32 });
        assert.deepEqual(zoom.scales(stage, { width: 1, height: 1 }, 2), { fit: 2, fill: 16, actual: 0.5, most: 16 });
        assert.equal(zoom.scales(stage, { width: 400, height: 300 }).fit, 2.5);
    });

    test("A click shows a large photo in its own size, and a small one at twice the size that fits", () => {
        assert.equal(zoom.closer(scales), 1);
        assert.equal(zoom.closer(zoom.scales(stage, stamp)), 8);
    });

    test("The point under the pointer stays where it is", () => {
        const before = { scale: 0.5, x: 40, y: -30 };
        const after = zoom.zoomed(before, 1.7, scales, 200, -100);
        const inPhoto = ({ scale, x, y }) => [(200 - x) / scale, (-100 - y) / scale];
        inPhoto(before).forEach((value, i) => assert.ok(Math.abs(value - inPhoto(after)[i]) < 1e-9));
    });

    test("The scale stays between the whole photo and the largest scale", () => {
        const fitted = zoom.fitted(scales);
        assert.equal(zoom.zoomed(fitted, 0.5, scales).scale, 0.25);
        assert.equal(zoom.zoomed(fitted, 1e6, scales).scale, 8);
        assert.ok(zoom.isFitted(fitted, scales) && !zoom.isFitted({ scale: 0.26, x: 0, y: 0 }, scales));
    });

    test("A small photo in its own size does not jump to a larger one when it is to shrink", () => {
        const small = zoom.scales(stage, stamp);
        assert.equal(zoom.zoomed({ scale: small.actual, x: 0, y: 0 }, 0.5, small).scale, small.actual);
    });

    test("A photo larger than the stage covers it, and a smaller one stays in the centre", () => {
        assert.deepEqual(zoom.settled({ scale: 0.5, x: 9999, y: -9999 }, stage, photo), { scale: 0.5, x: 500, y: -100 });
        assert.deepEqual(zoom.settled({ scale: 1, x: 70, y: 70 }, stage, panorama), { scale: 1, x: 70, y: 0 });
        assert.deepEqual(zoom.settled({ scale: 0.25, x: 5, y: 5 }, stage, photo), { scale: 0.25, x: 0, y: 0 });
    });

    test("Two fingers scale the photo by their distance and move it with the point between them", () => {
        const span = (x1, y1, x2, y2) => zoom.span({ x: x1, y: y1 }, { x: x2, y: y2 });
        const doubled = zoom.pinched({ scale: 0.5, x: 0, y: 0 }, span(-50, 0, 50, 0), span(-100, 0, 100, 0), scales);
        assert.deepEqual(doubled, { scale: 1, x: 0, y: 0 });
        const shifted = zoom.pinched({ scale: 0.5, x: 0, y: 0 }, span(-50, 0, 50, 0), span(-30, 10, 70, 10), scales);
        assert.deepEqual(shifted, { scale: 0.5, x: 20, y: 10 });
        assert.ok(Number.isFinite(zoom.pinched({ scale: 1, x: 0, y: 0 }, span(3, 3, 3, 3), span(0, 0, 9, 9), scales).scale));
    });

    test("A swipe to the left shows the next photo, to the right the previous one, down closes the view, and up shows the facts", () => {
        for (const [dx, dy, meaning] of [
            [-60, 10, "next"], [60, -10, "previous"], [10, 120, "close"],
            [10, -80, "facts"], [0, -200, "facts"], [30, 0, ""], [0, 60, ""], [0, -40, ""], [-60, -80, ""], [-60, 60, ""], [90, 100, ""],
        ]) assert.equal(zoom.swipe(dx, dy), meaning, `${dx}, ${dy}`);
    });
});
