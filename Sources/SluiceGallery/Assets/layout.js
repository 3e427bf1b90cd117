// SPDX-License-Identifier: MIT

// Computes the position of every row of a view from the index alone, so that rows never move while images load.
sluice.layout = (() => {
    const { clamp, firstIndex } = sluice;
    // The heading of failed photos has a second line for the command that retries them, and more room for its sentence.
    const headingHeight = (isFirst, { failure }, width) => (isFirst ? 46 : 84) + (!failure ? 0 : width < 600 ? 66 : 36);

    // Makes an empty list of rows. Row i holds the photos from starts[i] up to, but not including, ends[i]; a heading
    // holds none.
    function rows() {
        const list = { tops: [], heights: [], exact: [], starts: [], ends: [], headings: new Map(), height: 0 };
        // Rows start at whole pixels, so that all gaps look equal. Widths are computed from the exact height.
        list.add = (start, end, exact, gap) => {
            const height = Math.round(exact);
            list.tops.push(list.height);
            list.heights.push(height);
            list.exact.push(exact);
            list.starts.push(start);
            list.ends.push(end);
            list.height += height + gap;
        };
        // The first row whose lower edge is below `y`.
        list.at = (y) => {
            const rows = list.tops.length;
            return Math.min(firstIndex(rows, (row) => list.tops[row] + list.heights[row] > y), rows - 1);
        };
        // The row that contains the photo at position `place`.
        list.of = (place) => firstIndex(list.tops.length, (row) => list.ends[row] > place);
        return list;
    }

    // Crops very wide and very tall pictures, which would otherwise make their rows too low or too narrow.
    const displayedAspect = (aspect) => clamp(0.45, aspect, 3.4);

    // Fills rows of the given width with photos of equal height, as near as possible to the height `target`.
    function justify(list, view, start, end, width, target, gap) {
        let first = start;
        let sum = 0;
        for (let place = start; place < end; place++) {
            const aspect = displayedAspect(sluice.data.index.aspects[view.at(place)]);
            const count = place - first;
            const height = (width - gap * count) / (sum + aspect);
            if (height > target) { sum += aspect; continue; }
            const before = count > 0 ? (width - gap * (count - 1)) / sum : Infinity;
            if (before - target < target - height) {
                list.add(first, place, before, gap);
                first = place;
                sum = 0;
                place--;
            } else {
                list.add(first, place + 1, height, gap);
                first = place + 1;
                sum = 0;
            }
        }
        if (first < end) list.add(first, end, Math.min(target, (width - gap * (end - first - 1)) / sum), gap);
    }

    function grid(view, width) {
        const list = rows();
        const gap = width < 600 ? 4 : 6;
        const target = clamp(140, 105 + width * 0.1, 320);
        const sections = view.sections.length ? view.sections : [{ at: 0 }];
        sections.forEach((section, i) => {
            const end = i + 1 < sections.length ? sections[i + 1].at : view.length;
            if (view.sections.length) {
                list.headings.set(list.tops.length, { ...section, count: end - section.at });
                list.add(section.at, section.at, headingHeight(list.height === 0, section, width), 0);
            }
            justify(list, view, section.at, end, width, target, gap);
        });
        list.gap = gap;
        return list;
    }

    function table(view) {
        const list = rows();
        for (let place = 0; place < view.length; place++) list.add(place, place + 1, 60, 0);
        list.gap = 0;
        list.columns = 1;
        return list;
    }

    // Squares for the covers, each with two lines of text below.
    function collections(view, width) {
        const list = rows();
        list.gap = width < 600 ? 12 : 22;
        list.columns = Math.max(2, Math.floor((width + list.gap) / (200 + list.gap)));
        list.across = Math.floor((width - list.gap * (list.columns - 1)) / list.columns);
        for (let start = 0; start < view.length; start += list.columns) {
            list.add(start, Math.min(start + list.columns, view.length), list.across + 58, list.gap);
        }
        return list;
    }

    // Browsers limit the height of a page to about ten million pixels. A higher view is mapped to a lower page: pixel
    // by pixel near both ends, and proportionally in between.
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

    return { grid, table, collections, scale, displayedAspect };
})();
