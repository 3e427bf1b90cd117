// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gallery, photos } from "./gallery.mjs";

const hash = "0f0f0f0f80000001";

describe("Similar photos", { timeout: 10_000 }, () => {
    test("Photos are found in all blocks, the closest first, and a distant one is not", async () => {
        const hashes = new Map([
            [1, hash], [5, "0f0f0f0f80000001"], [10_001, "0f0f0f0f00000000"], [10_004, "0f0f0f0f80000000"],
            [20_500, "f0f0f0f080000001"],
        ]);
        const { sluice, files } = await gallery(photos(20_500, (photo) => { photo.hash = hashes.get(photo.seq); }));
        assert.deepEqual(await sluice.similar.find(0), [4, 10_003, 10_000]);
        assert.deepEqual(await sluice.similar.find(10_003), [0, 4, 10_000]);
        assert.deepEqual(await sluice.similar.find(20_499), []);
        // Each file is loaded once.
        assert.deepEqual([1, 2, 3].map((number) => files.get(`gallery/hashes/${number}.js`)), [1, 1, 1]);
    });

    test("A photo without a hash is like no other, and needs one file only", async () => {
        const { sluice, files } = await gallery(photos(20_001));
        assert.deepEqual(await sluice.similar.find(10_000), []);
        assert.deepEqual([1, 2, 3].map((number) => files.has(`gallery/hashes/${number}.js`)), [false, true, false]);
    });

    test("Of many, the closest are found", async () => {
        const list = photos(100, (photo, i) => { photo.hash = i % 2 ? hash : "0f0f0f0f80000003"; });
        const { sluice } = await gallery(list);
        const found = await sluice.similar.find(1);
        assert.equal(found.length, 24);
        assert.ok(found.every((place) => place % 2 === 1 && place !== 1));
    });

    // Placeholders of pictures of the demo: dunes at noon in three shapes, pines at noon, and an aurora at night.
    const dunes = ["7hgGRQ54eJ9mGHk3eGaYeHiAhQdo", "7hgGRQ5nh69nB3gnh4eHd3iAhQdo", "7RgKRJB4eIdrh3dwh4N3cHUHaA=="];
    const [pines, aurora] = ["pLYRDQJoh494V3dnd3d4h0qQogQZ", "TpcFC4RneYaHdwdmmHqPefc="];

    test("Photos of similar composition and colour are found after copies, in every shape", async () => {
        const placeholders = [pines, dunes[0], aurora, dunes[2], undefined, dunes[1], "invalid"];
        const list = photos(7, (photo, i) => { photo.placeholder = placeholders[i]; });
        list[1].hash = list[4].hash = hash;
        const { sluice } = await gallery(list);
        assert.deepEqual(await sluice.similar.find(1), [4, 5, 3]);
        assert.deepEqual((await sluice.similar.find(5)).sort(), [1, 3]);
        for (const place of [0, 2, 6]) assert.deepEqual(await sluice.similar.find(place), [], `${place}`);
    });
});
