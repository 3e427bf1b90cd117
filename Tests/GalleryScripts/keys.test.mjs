// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { gallery } from "./gallery.mjs";

const assets = new URL("../../Sources/SluiceGallery/Assets/", import.meta.url);

describe("Keys", { timeout: 10_000 }, () => {
    // Presses a key on an element with these bindings; returns whether the browser's own action was prevented.
    async function press(bindings, event) {
        const { sluice } = await gallery([]);
        let listener;
        sluice.bindKeys({ addEventListener: (_, added) => { listener = added; } }, "Test", bindings);
        let isPrevented = false;
        listener({ target: {}, preventDefault: () => { isPrevented = true; }, ...event });
        return isPrevented;
    }

    test("The first binding whose action means something gets the key", async () => {
        const called = [];
        const binding = (keys, name, answer) => [keys, name, () => { called.push(name); return answer; }];
        const bindings = [binding("a b", "one", false), ["b", "nothing"], binding("b Space", "two"), binding("b", "three"), binding("Ctrl+b", "four")];
        for (const [event, names, prevents] of [
            [{ key: "b" }, ["one", "two"], true], [{ key: "a" }, ["one"], false], [{ key: " " }, ["two"], true],
            [{ key: "b", ctrlKey: true }, ["four"], true], [{ key: "b", metaKey: true }, ["four"], true],
            [{ key: "b", altKey: true }, [], false], [{ key: "b", defaultPrevented: true }, [], false],
            [{ key: "b", target: { closest: () => ({}) } }, [], false], [{ key: "c" }, [], false],
        ]) {
            called.length = 0;
            assert.equal(await press(bindings, event), prevents, JSON.stringify(event));
            assert.deepEqual(called, names, JSON.stringify(event));
        }
    });

    test("Every key of the gallery is in the list of keys, because scripts bind keys in one way only", () => {
        const listening = readdirSync(assets).filter((name) => /addEventListener\("key|onkey/.test(readFileSync(new URL(name, assets), "utf8")));
        assert.deepEqual(listening, ["common.js"]);
    });
});
