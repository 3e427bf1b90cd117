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
        if (grid.isTable) return at + step;
        const rows = grid.rows;
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

    const steps = {
        ArrowLeft: (at) => at - 1, ArrowRight: (at) => at + 1,
        ArrowUp: (at) => neighbour(at, -1), ArrowDown: (at) => neighbour(at, 1),
        Home: () => 0, End: () => grid.length - 1,
    };

    grid.container.addEventListener("keydown", (event) => {
        const at = grid.placeOf(event.target);
        if (!steps[event.key] || at < 0 || sluice.hasModifier(event)) return;
        event.preventDefault();
        grid.focus(sluice.clamp(0, steps[event.key](at), grid.length - 1));
    });
    grid.container.addEventListener("focusin", (event) => {
        const at = grid.placeOf(event.target);
        if (at >= 0) grid.select(at);
    });
})();
