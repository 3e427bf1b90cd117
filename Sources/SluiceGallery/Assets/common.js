// SPDX-License-Identifier: MIT

// Functions that several scripts use.
sluice.hasModifier = (event) => event.altKey || event.ctrlKey || event.metaKey;
sluice.clamp = (low, value, high) => Math.min(high, Math.max(low, value));

// The keys that the gallery binds, by the part of the page, for the list that "?" shows.
sluice.keys = [];

// Binds keys to actions while the focus is in an element. A binding is a text of keys with spaces between them, what
// they do, and the action, which returns false if the key means nothing now. Keys without an action are the browser's.
// Bindings without a part are not in the list.
sluice.bindKeys = (element, part, bindings) => {
    if (part) sluice.keys.push({ part, bindings });
    element.addEventListener("keydown", (event) => {
        const isCovered = element === document && document.querySelector("dialog[open]");
        if (event.defaultPrevented || event.altKey || isCovered || event.target.closest?.("input, select")) return;
        const key = `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.key === " " ? "Space" : event.key}`;
        for (const [keys, , action] of bindings) {
            if (!action || !keys.split(" ").includes(key) || action(event) === false) continue;
            event.preventDefault();
            return;
        }
    });
};

// The first index below `count` that passes a test, which all later ones pass too; `count` if none does.
sluice.firstIndex = (count, test) => {
    let low = 0;
    let high = count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (test(middle)) high = middle; else low = middle + 1;
    }
    return low;
};

// The last element of a list sorted by `at` whose position is at most `place`.
sluice.lastAtOrBefore = (list, place) => list[sluice.firstIndex(list.length, (i) => list[i].at > place) - 1];
