// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gallery, photos } from "./gallery.mjs";

const texts = (...list) => photos(list.length, (photo, i) => { photo.text = list[i]; });
const range = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe("Search", { timeout: 30_000 }, () => {
    test("Without search and filters, the view is the whole feed and loads no text", async () => {
        const { find, files } = await gallery(photos(5));
        const [{ view, seqs, isComplete }] = await find("#/");
        assert.ok(isComplete && view.isWhole);
        assert.deepEqual(seqs, [1, 2, 3, 4, 5]);
        assert.deepEqual([view.placeOf(4), view.placeOf(5)], [4, -1]);
        assert.deepEqual([...files.keys()], ["gallery/index/1.js"]);
    });

    test("A photo is found if its text contains every word, in any order", async () => {
        const { seqs } = await gallery(texts("red lake at dawn", "lake", "a red house", "the lakes turn redder"));
        assert.deepEqual(await seqs("#/?q=lake"), [1, 2, 4]);
        assert.deepEqual(await seqs("#/?q=red+lake"), [1, 4]);
        assert.deepEqual(await seqs("#/?q=lake++red+"), [1, 4]);
        assert.deepEqual(await seqs("#/?q=sea"), []);
    });

    test("Search ignores case and diacritics, in the text and in the query", async () => {
        const { seqs } = await gallery(texts("Zürich", "ZURICH", "zu\u0308rich", "Ǆ ﬁsh", "İstanbul", "日本 2024"));
        for (const q of ["zürich", "ZURICH", "zu\u0308rich"]) {
            assert.deepEqual(await seqs(`#/?q=${encodeURIComponent(q)}`), [1, 2, 3], q);
        }
        assert.deepEqual(await seqs("#/?q=fish"), [4]);
        assert.deepEqual(await seqs("#/?q=istanbul"), [5]);
        assert.deepEqual(await seqs(`#/?q=${encodeURIComponent("日本")}`), [6]);
    });

    test("Characters with a meaning in patterns are searched as text", async () => {
        const { seqs } = await gallery(texts("a.b", "axb", "(c)", "50% [x]", "\\d"));
        for (const [q, wanted] of [[".", [1]], ["(", [3]], ["50%", [4]], ["[x]", [4]], ["\\d", [5]], ["$&", []]]) {
            assert.deepEqual(await seqs(`#/?q=${encodeURIComponent(q)}`), wanted, q);
        }
    });

    const captions = (...list) => photos(list.length, (photo, i) => { photo.text = `${list[i]}\tSomebody\tid ${i}`; });

    test("Names are sorted without regard to case and diacritics, and numbers by value", async () => {
        const { seqs } = await gallery(captions("Zebra 2", "étage", "", "zebra 10", "Eagle", "zebra 2", "7 swans", "Ähre"));
        assert.deepEqual(await seqs("#/?sort=name"), [7, 8, 5, 2, 1, 6, 4, 3]);
        assert.deepEqual(await seqs("#/?sort=name&q=zebra"), [1, 6, 4]);
        assert.deepEqual(await seqs("#/?sort=name&state=failed"), []);
    });

    test("Sorted names have headings by their first letter if these are readable", async () => {
        const { find } = await gallery(captions("b", "a1", "", "Ä2", "9", "*", "B", "日本", "日"));
        const [{ headings, seqs }] = await find("#/?sort=name");
        assert.deepEqual(seqs, [6, 5, 2, 4, 1, 7, 9, 8, 3]);
        assert.deepEqual(headings, []);
        const { find: findMany } = await gallery(captions("b", "a1", "", "Ä2", "", "9", "*", "B", "日本", "日"));
        assert.deepEqual((await findMany("#/?sort=name"))[0].headings,
            [[0, "0–9 and others"], [2, "A"], [4, "B"], [6, "日"], [8, "Without a caption"]]);
    });

    test("Sorting by name loads the text of each block once", async () => {
        const { seqs, files } = await gallery(photos(20_001, (photo, i) => { photo.text = `${20_001 - i}\tx`; }));
        const sorted = await seqs("#/?sort=name");
        assert.deepEqual([sorted[0], sorted[9], sorted.at(-1)], [20_001, 19_992, 1]);
        await seqs("#/?sort=name&q=x");
        assert.deepEqual([1, 2, 3].map((number) => files.get(`gallery/text/${number}.js`)), [1, 1, 1]);
    });

    test("Words must be in the text of one photo", async () => {
        const { seqs } = await gallery(texts("red", "lake"));
        assert.deepEqual(await seqs("#/?q=red+lake"), []);
    });

    test("A search across blocks finds the right photos, and loads each text once", async () => {
        const { seqs, files } = await gallery(photos(20_001, (photo, i) => {
            photo.text = i % 10_000 === 0 || i === 9_999 ? "needle" : "hay";
        }));
        for (let i = 0; i < 2; i++) assert.deepEqual(await seqs("#/?q=needle"), [1, 10_000, 10_001, 20_001]);
        assert.deepEqual([1, 2, 3].map((number) => files.get(`gallery/text/${number}.js`)), [1, 1, 1]);
    });

    test("A filtered search does not load blocks without candidates", async () => {
        const { seqs, files } = await gallery(photos(60_000, (photo, i) => { photo.state = i === 3 ? "failed" : "done"; }));
        assert.deepEqual(await seqs("#/?q=photo&state=failed"), [4]);
        assert.equal(files.has("gallery/text/6.js"), false);
    });

    test("A slow search shows partial results, but not if they are sorted", async () => {
        const list = photos(30_000, (photo, i) => { photo.text = i % 10_000 === 0 ? "needle" : "hay"; });
        const { find, clock } = await gallery(list);
        const onProgress = () => { clock.now += 500; };
        const shown = await find("#/?q=needle", { onProgress });
        assert.deepEqual(shown.map(({ seqs, isComplete }) => [seqs.length, isComplete]), [[1, false], [2, false], [3, false], [3, true]]);
        const sorted = await find("#/?q=needle&sort=latest", { onProgress });
        assert.deepEqual(sorted.map(({ seqs }) => seqs), [[20_001, 10_001, 1]]);
    });

    test("The progress of a search rises to 1, and a cancelled search shows nothing", async () => {
        const { find } = await gallery(photos(20_000));
        const shares = [];
        await find("#/?q=photo", { onProgress: (share) => shares.push(share) });
        assert.deepEqual(shares, [0.5, 1]);
        assert.deepEqual(await find("#/?q=photo", { isCancelled: () => true }), []);
    });

    test("A text that cannot be loaded fails the search, and the next search loads it again", async () => {
        const { find, seqs, missing } = await gallery(photos(3));
        missing.add("gallery/text/1.js");
        await assert.rejects(find("#/?q=photo"), /gallery\/text\/1\.js/);
        missing.clear();
        assert.deepEqual(await seqs("#/?q=photo"), [1, 2, 3]);
    });

    test("Searching an empty gallery finds nothing", async () => {
        const { find } = await gallery([]);
        assert.deepEqual((await find("#/?q=x")).map(({ seqs }) => seqs), [[]]);
        assert.deepEqual((await find("#/")).map(({ seqs }) => seqs), [[]]);
    });
});

describe("Filters and order", { timeout: 30_000 }, () => {
    test("Each filter selects by its property, and filters combine", async () => {
        const { seqs } = await gallery(photos(6, (photo, i) => {
            photo.state = ["done", "failed", "skipped", "pending", "done", "done"][i];
            photo.aspect = [1.5, 1.5, 0.5, 0.5, 1, 0.5][i];
            photo.hue = ["r", "k", "m", "b", "b", "-"][i];
            photo.format = ["j", "-", "-", "-", "w", "o"][i];
        }));
        for (const [query, wanted] of [
            ["state=done", [1, 5, 6]], ["state=failed", [2]], ["state=skipped", [3]], ["state=pending", [4]],
            ["shape=landscape", [1, 2]], ["shape=portrait", [3, 4, 6]], ["shape=square", [5]],
            ["color=black", [2]], ["color=blue", [4, 5]], ["color=pink", [3]], ["color=green", []],
            ["format=jpeg", [1]], ["format=webp", [5]], ["format=other", [6]],
            ["state=done&shape=portrait", [6]], ["state=done&color=blue&format=jpeg", []],
        ]) assert.deepEqual(await seqs(`#/?${query}`), wanted, query);
    });

    test("Every photo has exactly one shape", async () => {
        const list = photos(200, (photo, i) => { photo.aspect = 0.5 + i / 100; });
        const { seqs } = await gallery(list);
        const all = await Promise.all(["landscape", "portrait", "square"].map((shape) => seqs(`#/?shape=${shape}`)));
        assert.deepEqual(all.flat().sort((a, b) => a - b), range(1, 200));
    });

    test("Values from a URL that name members of objects are unknown values", async () => {
        const { seqs } = await gallery(photos(2));
        for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
            assert.deepEqual(await seqs(`#/?shape=${name}`), [1, 2], name);
            assert.deepEqual(await seqs(`#/?sort=${name}`), [1, 2], name);
            assert.deepEqual(await seqs(`#/?state=${name}`), [], name);
        }
    });

    test("The collection filter selects all parts of a collection", async () => {
        const { seqs } = await gallery(photos(7, (photo, i) => { photo.section = ["A", "A", "B", "A", "C", "C", "A"][i]; }));
        assert.deepEqual(await seqs("#/?collection=A"), [1, 2, 4, 7]);
        assert.deepEqual(await seqs("#/?collection=C"), [5, 6]);
        assert.deepEqual(await seqs("#/?collection=a"), []);
        const long = "x".repeat(600);
        const { seqs: longSeqs } = await gallery(photos(3, (photo, i) => { photo.section = i === 1 ? `${long}y` : long; }));
        assert.deepEqual(await longSeqs(`#/?collection=${long}y`), [2]);
    });

    test("Collections have a count and the first photo with a picture as cover", async () => {
        const { sluice, find } = await gallery(photos(8, (photo, i) => {
            photo.section = ["B 10", undefined, "B 10", "A", "B 9", "B 10", "A", undefined][i];
            photo.state = [0, 3].includes(i) ? "failed" : "done";
            photo.size = i;
        }));
        const collections = async (hash) => {
            const view = (await find(hash)).at(-1).view;
            return sluice.view.collections(view, sluice.route.parse(hash));
        };
        const listed = async (hash) => (await collections(hash)).collections.map(({ name, count, cover }) => [name, count, cover]);
        assert.deepEqual(await listed("#/"), [["B 10", 3, 2], ["A", 2, 6], ["B 9", 1, 4], [undefined, 2, 1]]);
        assert.deepEqual(await listed("#/?state=failed"), [["B 10", 1, 0], ["A", 1, 3]]);
        assert.deepEqual(await listed("#/?sort=largest"), [["A", 2, 6], ["B 10", 3, 5], ["B 9", 1, 4], [undefined, 2, 7]]);
        assert.deepEqual((await listed("#/?sort=name")).map(([name]) => name), ["A", "B 9", "B 10", undefined]);
        const view = await collections("#/");
        // Every photo leads to its collection.
        assert.deepEqual([0, 1, 2, 3, 4].map(view.placeOf), [0, 3, 0, 1, 2]);
        assert.deepEqual([view.length, view.at(1)], [4, 6]);
    });

    test("Photos without a collection are selected, too", async () => {
        const { seqs, sluice } = await gallery(photos(3, (photo, i) => { photo.section = [undefined, "A", undefined][i]; }));
        const hash = sluice.route.format({ ...sluice.route.parse(""), collection: sluice.route.noCollection });
        assert.deepEqual(await seqs(hash), [1, 3]);
    });

    test("Photos are sorted by date, size or reverse feed order; equal ones stay in feed order", async () => {
        const { seqs } = await gallery(photos(5, (photo, i) => {
            photo.date = [300, 100, 0, 300, 200][i];
            photo.size = [10, 30, 10, 200_000, 0][i];
        }));
        assert.deepEqual(await seqs("#/?sort=latest"), [5, 4, 3, 2, 1]);
        assert.deepEqual(await seqs("#/?sort=newest"), [1, 4, 5, 2, 3]);
        assert.deepEqual(await seqs("#/?sort=oldest"), [2, 5, 1, 4, 3]);
        assert.deepEqual(await seqs("#/?sort=largest"), [4, 2, 1, 3, 5]);
        assert.deepEqual(await seqs("#/?sort=smallest"), [1, 3, 2, 4, 5]);
        assert.deepEqual(await seqs("#/?sort=other"), [1, 2, 3, 4, 5]);
    });

    test("A selection maps places to photos and back", async () => {
        const { find, sluice } = await gallery(photos(4, (photo, i) => { photo.size = i; photo.seq = 10 * i; }));
        const [{ view, seqs }] = await find("#/?sort=largest");
        assert.deepEqual(seqs, [30, 20, 10, 0]);
        for (let place = 0; place < 4; place++) assert.equal(view.placeOf(view.at(place)), place);
        assert.deepEqual([10, 30, 15, 31, -1].map(sluice.data.ordinal), [1, 3, -1, -1, -1]);
    });

    test("Headings show sections of at least two photos on average, in the feed's order only", async () => {
        const { find } = await gallery(photos(6, (photo, i) => {
            photo.section = i < 4 ? "A" : "B";
            photo.state = i % 2 ? "failed" : "done";
        }));
        const headings = async (hash) => (await find(hash)).at(-1).headings;
        assert.deepEqual(await headings("#/"), [[0, "A"], [4, "B"]]);
        assert.deepEqual(await headings("#/?format=jpeg"), [[0, "A"], [4, "B"]]);
        assert.deepEqual(await headings("#/?state=done"), []);
        assert.deepEqual(await headings("#/?sort=latest"), []);
        assert.deepEqual(await headings("#/?sort=latest&collection=A"), []);
    });

    test("Failed photos are grouped by cause, the most frequent first, across blocks", async () => {
        const gone = { cause: "http-404", meaning: "the photo no longer exists on the host" };
        const slow = { cause: "timeout", meaning: "the host did not respond in time", remedy: "--retry=timeout" };
        const { find } = await gallery(photos(20_000, (photo, i) => {
            photo.failure = { 5: gone, 700: slow, 9_999: gone, 10_000: slow, 19_999: slow }[i];
            if (photo.failure) photo.state = "failed";
            photo.date = 20_000 - i;
        }));
        const [{ view, seqs }] = await find("#/?state=failed");
        assert.deepEqual(seqs, [701, 10_001, 20_000, 6, 10_000]);
        assert.deepEqual(view.sections, [{ at: 0, name: slow.meaning, failure: slow }, { at: 3, name: gone.meaning, failure: { ...gone, remedy: undefined } }]);
        assert.deepEqual((await find("#/?state=failed&q=701")).at(-1).view.sections.map(({ at }) => at), [0]);
        assert.deepEqual((await find("#/?state=failed&sort=latest")).at(-1).seqs, [20_000, 10_001, 10_000, 701, 6]);
    });

    test("The page of a collection has its name as heading", async () => {
        const { find } = await gallery(photos(3, (photo, i) => { photo.section = i ? "A" : undefined; }));
        const headings = async (hash) => (await find(hash)).at(-1).headings;
        assert.deepEqual(await headings("#/?collection=A"), [[0, "A"]]);
        assert.deepEqual(await headings("#/?collection=+"), [[0, ""]]);
        assert.deepEqual(await headings("#/?collection=B"), []);
    });

    test("Photos sorted by date have sections by the shortest unit with two photos on average", async () => {
        const day = 1440;
        const first = 354285 * day + 20000 * day;
        const headings = async (step) => {
            const { find } = await gallery(photos(8, (photo, i) => { photo.date = i < 2 ? 0 : first + Math.floor(i * step * day); }));
            return (await find("#/?sort=oldest")).at(-1).headings;
        };
        assert.deepEqual(await headings(0.3), [[0, "4 October 2024"], [2, "5 October 2024"], [5, "6 October 2024"], [6, "Without a date"]]);
        assert.deepEqual(await headings(10), [[0, "October 2024"], [1, "November 2024"], [4, "December 2024"], [6, "Without a date"]]);
        assert.deepEqual(await headings(400), []);
    });

    test("Names of dates before 1970 and of photos without a date", async () => {
        const { sluice: { dates } } = await gallery([]);
        assert.equal(dates.name(dates.key(1, "day")), "1 January 1000");
        assert.equal(dates.name(dates.key(354285 * 1440 - 1, "month")), "December 1969");
        assert.equal(dates.name(dates.key(0, "year")), "Without a date");
    });

    test("A gallery without named sections has no headings", async () => {
        const { find } = await gallery(photos(6));
        assert.deepEqual((await find("#/"))[0].headings, []);
    });
});

describe("Data", { timeout: 30_000 }, () => {
    test("The index keeps its properties across blocks", async () => {
        const list = photos(10_002, (photo, i) => {
            [photo.aspect, photo.size, photo.date, photo.seq] = [0.5 + i % 7, i, 64 ** 4 + i, i < 10_001 ? i + 5 : 90_000];
        });
        const { sluice: { data } } = await gallery(list);
        for (const i of [0, 1, 63, 64, 4095, 9_999, 10_000, 10_001]) {
            assert.ok(Math.abs(data.index.aspects[i] / list[i].aspect - 1) < 0.02, `${i}`);
            assert.deepEqual([data.index.sizes[i], data.index.dates[i], data.seq(i)], [list[i].size, list[i].date, list[i].seq], `${i}`);
            assert.equal(data.ordinal(list[i].seq), i);
        }
        assert.deepEqual([data.known, data.total, data.blocks], [10_002, 10_002, 2]);
    });

    test("Progress of the index rises to 1, and its first block comes alone", async () => {
        const { sluice } = await gallery(photos(30_000), { loadsIndex: false });
        const shares = [];
        await sluice.data.loadIndex((share) => shares.push([share, sluice.data.known]));
        assert.deepEqual(shares, [[1 / 3, 10_000], [1, 30_000]]);
    });

    test("Records are loaded by chunk, once while they are kept, and the oldest chunks are dropped", async () => {
        const { sluice: { data }, files } = await gallery(photos(200 * 45));
        const both = await Promise.all([data.record(0), data.record(199)]);
        assert.deepEqual(both.map(({ seq }) => seq), [1, 200]);
        assert.equal(files.get("gallery/data/1.js"), 1);
        assert.equal(data.peek(5).seq, 6);
        assert.equal(data.peek(200), undefined);
        for (let chunk = 1; chunk < 41; chunk++) await data.record(chunk * 200);
        assert.equal(data.peek(0), undefined);
        assert.equal((await data.record(0)).seq, 1);
        assert.equal(files.get("gallery/data/1.js"), 2);
    });
});
