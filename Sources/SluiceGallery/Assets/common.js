// SPDX-License-Identifier: MIT

// Functions that several scripts use.
sluice.hasModifier = (event) => event.altKey || event.ctrlKey || event.metaKey;
sluice.clamp = (low, value, high) => Math.min(high, Math.max(low, value));

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
