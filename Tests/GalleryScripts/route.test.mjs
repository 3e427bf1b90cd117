// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gallery } from "./gallery.mjs";

const { route } = (await gallery([])).sluice;

describe("Routes", { timeout: 10_000 }, () => {
    const empty = { photo: null, q: "", collection: "", state: "", rating: "", shape: "", color: "", format: "", sort: "", view: "" };

    test("An empty fragment is the whole gallery", () => {
        for (const hash of ["", "#", "#/", "#/?", "#/?q="]) assert.deepEqual(route.parse(hash), empty, hash);
    });

    test("A fragment names the photo, the search, the filters, the order and the view", () => {
        assert.deepEqual(
            route.parse("#/photo/12?q=lake&collection=Alps&state=failed&rating=3&shape=square&color=red&format=png&sort=largest&view=table"),
            { photo: 12, q: "lake", collection: "Alps", state: "failed", rating: "3", shape: "square", color: "red", format: "png", sort: "largest", view: "table" });
    });

    test("Invalid photo numbers and other paths show no photo", () => {
        for (const hash of ["#/photo/", "#/photo/x", "#/photo/-1", "#/photo/1.5", "#/photo/1/2", "#/photos/1", "#photo/1", `#/photo/${"9".repeat(16)}`]) {
            assert.equal(route.parse(hash).photo, null, hash);
        }
        assert.equal(route.parse("#/photo/0").photo, 0);
        assert.equal(route.parse("#/photo/0012").photo, 12);
    });

    test("Every route survives formatting and parsing", () => {
        for (const q of ["", "lake", "a b", "a+b", "50%", "x?y=1&z#w", "é 日本 😀", "\u202e", "a\tb"]) {
            for (const photo of [null, 0, 7]) {
                const wanted = { ...empty, photo, q, collection: q, view: "table" };
                assert.deepEqual(route.parse(route.format(wanted)), wanted);
            }
        }
    });

    test("The collections have a path of their own, with search and filters", () => {
        const collections = { ...empty, q: "lake", view: "collections" };
        assert.equal(route.format(collections), "#/collections?q=lake");
        assert.deepEqual(route.parse("#/collections?q=lake"), collections);
        assert.equal(route.key(collections), "#/?q=lake");
        for (const hash of ["#/collections/", "#/collections/1", "#/?view=collections", "#/?view=other"]) {
            assert.equal(route.parse(hash).view, "", hash);
        }
    });

    test("A formatted route leaves out empty parts", () => {
        assert.equal(route.format(empty), "#/");
        assert.equal(route.format({ ...empty, photo: 3 }), "#/photo/3");
        assert.equal(route.format({ ...empty, sort: "newest", q: "a" }), "#/?q=a&sort=newest");
    });

    test("Malformed escapes are kept as text, and long values are cut", () => {
        assert.equal(route.parse("#/?q=100%").q, "100%");
        assert.equal(route.parse("#/?q=%zz").q, "%zz");
        assert.equal(route.parse(`#/?q=${"x".repeat(5000)}`).q.length, 4000);
    });

    test("Unknown parameters are ignored, and the first of several values is used", () => {
        assert.deepEqual(route.parse("#/?page=3&__proto__=x&q=a&q=b"), { ...empty, q: "a" });
    });

    test("The key of a list of photos does not depend on the open photo or the view mode", () => {
        const key = (hash) => route.key(route.parse(hash));
        assert.equal(key("#/photo/12?q=lake&view=table"), key("#/?q=lake"));
        assert.equal(key("#/photo/12"), "#/");
        for (const other of ["#/?q=sea", "#/?sort=newest", "#/?state=failed", "#/?collection=lake"]) {
            assert.notEqual(key(other), key("#/?q=lake"), other);
        }
    });
});
