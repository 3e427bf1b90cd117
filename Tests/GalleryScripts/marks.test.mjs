// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gallery } from "./gallery.mjs";

describe("Marks", { timeout: 10_000 }, () => {
    // A server that answers with these statuses, and then accepts everything.
    async function store(statuses = []) {
        const { sluice } = await gallery([]);
        const server = { revision: 0, bodies: [], reports: [], later: [] };
        const post = async (body) => {
            server.bodies.push(structuredClone(body));
            const status = statuses.shift() ?? (body.revision === server.revision ? 200 : 409);
            if (status === 0) throw new TypeError("offline");
            if (status === 200) server.revision++;
            return { status, revision: server.revision };
        };
        const marks = sluice.marksOf(post, (text) => server.reports.push(text), (action) => server.later.push(action));
        return { marks, server };
    }
    const settle = () => new Promise((resolve) => setImmediate(resolve));

    test("Changes show at once and are sent in their order, those made meanwhile together", async () => {
        const { marks, server } = await store();
        const record = { seq: 3, state: "done", caption: "feed's" };
        marks.change([record], () => ({ rating: 2 }));
        marks.change([record], () => ({ rating: 5 }));
        marks.change([record], () => ({ user_caption: "mine" }));
        assert.deepEqual(record, { seq: 3, state: "done", caption: "feed's", rating: 5, user_caption: "mine" });
        assert.ok(marks.isWaiting);
        await settle();
        assert.ok(!marks.isWaiting);
        assert.deepEqual(server.bodies, [
            { revision: 0, marks: [{ seq: 3, rating: 2 }] },
            { revision: 1, marks: [{ seq: 3, rating: 5 }, { seq: 3, user_caption: "mine" }] },
        ]);
        // The data of the gallery does not have the marks yet.
        const again = { seq: 3, state: "done" };
        marks.amend(again);
        assert.deepEqual(again, { seq: 3, state: "done", rating: 5, user_caption: "mine" });
    });

    test("A rejected photo gets its state back, and an action on several photos is undone as one", async () => {
        const { marks, server } = await store();
        const records = [{ seq: 1, state: "failed" }, { seq: 2, state: "done", rating: 3 }];
        marks.change(records, () => ({ rating: -1 }));
        assert.deepEqual(records.map(({ state, rating }) => [state, rating]), [["rejected", -1], ["rejected", -1]]);
        assert.deepEqual(marks.undo(), [1, 2]);
        records.forEach(marks.amend);
        assert.deepEqual(records.map(({ state, rating }) => [state, rating]), [["failed", undefined], ["done", 3]]);
        assert.deepEqual(marks.undo(), []);
        await settle();
        assert.deepEqual(server.bodies.at(-1).marks, [{ seq: 1, rating: null }, { seq: 2, rating: 3 }]);
        // The page was loaded when the photo was rejected.
        const loaded = { seq: 9, state: "rejected", rating: -1, thumbs: [] };
        marks.change([loaded], () => ({ rating: null }));
        assert.equal(loaded.state, "done");
    });

    test("A page that knows an old revision sends again, and marks wait while the server does not answer", async () => {
        const { marks, server } = await store();
        server.revision = 4;
        marks.change([{ seq: 1 }], () => ({ rating: 1 }));
        await settle();
        assert.deepEqual(server.bodies.map(({ revision }) => revision), [0, 4]);
        const slow = await store([0, 503]);
        slow.marks.change([{ seq: 1 }], () => ({ rating: 1 }));
        await settle();
        assert.ok(slow.marks.isWaiting && /not answer/.test(slow.server.reports.at(-1)));
        slow.server.later.shift()();
        await settle();
        assert.ok(slow.marks.isWaiting);
        slow.server.later.shift()();
        await settle();
        assert.ok(!slow.marks.isWaiting);
        assert.equal(slow.server.reports.at(-1), "");
    });

    test("Marks that the server refuses are not sent again", async () => {
        const { marks, server } = await store([400]);
        marks.change([{ seq: 1 }], () => ({ rating: 1 }));
        await settle();
        assert.ok(!marks.isWaiting && /refused/.test(server.reports.at(-1)));
        assert.equal(server.bodies.length, 1);
    });

    test("Many marks are sent in several requests of limited length", async () => {
        const { marks, server } = await store();
        const records = Array.from({ length: 300 }, (_, i) => ({ seq: i + 1 }));
        marks.change(records, () => ({ user_tags: "x".repeat(500) }));
        while (marks.isWaiting) await settle();
        assert.ok(server.bodies.every((body) => JSON.stringify(body).length < 9000));
        assert.deepEqual(server.bodies.flatMap((body) => body.marks.map(({ seq }) => seq)), records.map(({ seq }) => seq));
    });

    test("Marks that wait at the server are taken over when a page is opened", async () => {
        const { marks } = await store();
        marks.load({ revision: 7, marks: [{ seq: 2, rating: 3 }, { seq: 2, user_tags: "a" }, { seq: 5, rating: -1 }] });
        assert.deepEqual(marks.seqs, [2, 5]);
        const record = { seq: 2, state: "done" };
        marks.amend(record);
        assert.deepEqual(record, { seq: 2, state: "done", rating: 3, user_tags: "a" });
    });

    test("Rejected photos are only in the view for them, and ratings filter and sort", async () => {
        const list = await gallery(Array.from({ length: 6 }, (_, i) => (
            { seq: i + 1, aspect: 1, state: i === 1 ? "rejected" : "done", hue: "r", format: "j", size: 1, date: 0, text: "lake", rating: [0, 0, 5, 3, 0, 4][i] })));
        assert.deepEqual(await list.seqs("#/"), [1, 3, 4, 5, 6]);
        assert.deepEqual(await list.seqs("#/?q=lake"), [1, 3, 4, 5, 6]);
        assert.deepEqual(await list.seqs("#/?state=rejected"), [2]);
        assert.deepEqual(await list.seqs("#/?rating=4"), [3, 6]);
        assert.deepEqual(await list.seqs("#/?rating=0"), [1, 5]);
        assert.deepEqual(await list.seqs("#/?sort=best"), [3, 6, 4, 1, 5]);
    });
});
