// SPDX-License-Identifier: MIT

// Keyboard navigation: the grid is one stop for the Tab key, and arrow keys move between photos.
(() => {
    const grid = sluice.grid;
    const aspect = (at) => sluice.layout.displayedAspect(sluice.data.index.aspects[grid.view.at(at)]);

    // The horizontal centre of a photo in its row.
    function centre(at) {
        const row = grid.rows.of(at);
        let x = 0;
        for (let i = grid.rows.starts[row]; i < at; i++) x += aspect(i) * grid.rows.exact[row] + grid.rows.gap;
        return x + aspect(at) * grid.rows.exact[row] / 2;
    }

    // The photo above or below another: the one whose centre is nearest.
    function neighbour(at, step) {
        const rows = grid.rows;
        if (rows.columns) return step < 0 && at < rows.columns ? at : at + step * rows.columns;
        let row = rows.of(at) + step;
        while (rows.headings.has(row)) row += step;
        if (row < 0 || row >= rows.tops.length) return at;
        const x = centre(at);
        let best = rows.starts[row];
        for (let i = best; i < rows.ends[row]; i++) {
            if (Math.abs(centre(i) - x) < Math.abs(centre(best) - x)) best = i;
        }
        return best;
    }

    // Moves the focus from a photo to the one at the place that `next` returns.
    const move = (next) => ({ target }) => {
        const at = grid.placeOf(target);
        if (at < 0) return false;
        grid.focus(sluice.clamp(0, next(at), grid.length - 1));
    };
    sluice.bindKeys(grid.container, "Photos", [
        ["ArrowLeft", "Previous", move((at) => at - 1)], ["ArrowRight", "Next", move((at) => at + 1)],
        ["ArrowUp", "Above", move((at) => neighbour(at, -1))], ["ArrowDown", "Below", move((at) => neighbour(at, 1))],
        ["Home", "First", move(() => 0)], ["End", "Last", move(() => grid.length - 1)], ["Enter", "Open"],
    ]);
    grid.container.addEventListener("focusin", (event) => {
        const at = grid.placeOf(event.target);
        if (at >= 0) grid.select(at);
    });
})();
