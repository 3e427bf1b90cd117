// SPDX-License-Identifier: MIT

// Where every row of a view stands: pure arithmetic over the index, so that nothing ever jumps.
sluice.layout = (() => {
    const clamp = (low, value, high) => Math.min(high, Math.max(low, value));
    const headingHeight = (isFirst) => isFirst ? 46 : 84;

    // The rows under construction; those from `starts[i]` to `ends[i]` share one row, a heading has none.
    function rows() {
        const made = { tops: [], heights: [], exact: [], starts: [], ends: [], headings: new Map(), height: 0 };
        // Rows stand on whole pixels, so that every gap looks the same; widths follow from the exact height.
        made.add = (start, end, exact, gap) => {
            const height = Math.round(exact);
            made.tops.push(made.height);
            made.heights.push(height);
            made.exact.push(exact);
            made.starts.push(start);
            made.ends.push(end);
            made.height += height + gap;
        };
        // The first row whose lower edge is below `y`.
        made.at = (y) => {
            let low = 0;
            let high = made.tops.length;
            while (low < high) {
                const middle = (low + high) >> 1;
                if (made.tops[middle] + made.heights[middle] <= y) low = middle + 1; else high = middle;
            }
            return Math.min(low, made.tops.length - 1);
        };
        // The row that holds the view's photo `place`.
        made.of = (place) => {
            let low = 0;
            let high = made.tops.length;
            while (low < high) {
                const middle = (low + high) >> 1;
                if (made.ends[middle] <= place) low = middle + 1; else high = middle;
            }
            return low;
        };
        return made;
    }

    // Very wide and very tall pictures are shown cropped, or their rows would be threads.
    const shown = (aspect) => clamp(0.45, aspect, 3.4);

    // Fills the width with photos of one height, row by row; the row's height is the one nearest to `target`.
    function justify(made, view, start, end, width, target, gap) {
        let first = start;
        let sum = 0;
        for (let place = start; place < end; place++) {
            const aspect = shown(sluice.data.index.aspects[view.at(place)]);
            const count = place - first;
            const height = (width - gap * count) / (sum + aspect);
            if (height > target) { sum += aspect; continue; }
            const before = count > 0 ? (width - gap * (count - 1)) / sum : Infinity;
            if (before - target < target - height) {
                made.add(first, place, before, gap);
                first = place;
                sum = 0;
                place--;
            } else {
                made.add(first, place + 1, height, gap);
                first = place + 1;
                sum = 0;
            }
        }
        if (first < end) made.add(first, end, Math.min(target, (width - gap * (end - first - 1)) / sum), gap);
    }

    function grid(view, width) {
        const made = rows();
        const gap = width < 600 ? 4 : 6;
        const target = clamp(140, 105 + width * 0.1, 320);
        const sections = view.sections.length ? view.sections : [{ at: 0 }];
        sections.forEach((section, i) => {
            const end = i + 1 < sections.length ? sections[i + 1].at : view.length;
            if (view.sections.length) {
                made.headings.set(made.tops.length, { name: section.name, count: end - section.at });
                made.add(section.at, section.at, headingHeight(made.height === 0), 0);
            }
            justify(made, view, section.at, end, width, target, gap);
        });
        made.gap = gap;
        return made;
    }

    function table(view) {
        const made = rows();
        for (let place = 0; place < view.length; place++) made.add(place, place + 1, 60, 0);
        made.gap = 0;
        return made;
    }

    // Browsers give up on pages of some ten million pixels. A higher view is scrolled through a lower page: near both
    // ends pixel by pixel, in between by proportion where the scroll bar was dragged, and pixel by pixel around that.
    function scale(height, visible) {
        const limit = 8e6;
        const edge = 1e6;
        const page = Math.min(height, limit);
        const long = Math.max(0, height - visible);
        const short = Math.max(0, page - visible);
        const ratio = (long - 2 * edge) / (short - 2 * edge);
        const isPlain = height <= limit;
        return {
            page,
            toView: (y) => isPlain || y < edge ? y : y > short - edge ? long - (short - y) : edge + (y - edge) * ratio,
            toPage: (y) => isPlain || y < edge ? y : y > long - edge ? short - (long - y) : edge + (y - edge) / ratio,
        };
    }

    return { grid, table, scale, shown };
})();
