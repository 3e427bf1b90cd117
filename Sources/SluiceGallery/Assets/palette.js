// SPDX-License-Identifier: MIT

// Finds the main colours of a picture, given its pixels as red, green, blue and opacity: at most `count`, the most
// frequent first. Colours that look alike are combined.
sluice.palette = (() => {
    const leastRange = 24;

    // The channel in which a group of colours differs most, and by how much.
    function spread(group) {
        const ranges = [0, 1, 2].map((channel) => {
            const values = group.map((color) => color[channel]);
            return Math.max(...values) - Math.min(...values);
        });
        const range = Math.max(...ranges);
        return { group, range, channel: ranges.indexOf(range) };
    }

    // The colour of a group that is closest to its mean. The mean itself may be a colour that the picture lacks.
    function typical(group) {
        const mean = [0, 1, 2].map((channel) => group.reduce((sum, color) => sum + color[channel], 0) / group.length);
        const distance = (color) => Math.hypot(...color.map((value, channel) => value - mean[channel]));
        const closest = group.reduce((best, color) => distance(color) < distance(best) ? color : best);
        return `#${closest.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
    }

    return (pixels, count) => {
        const colors = [];
        for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] > 127) colors.push([pixels[i], pixels[i + 1], pixels[i + 2]]);
        if (!colors.length) return [];
        const groups = [spread(colors)];
        while (groups.length < count) {
            groups.sort((a, b) => b.range - a.range);
            const { group, range, channel } = groups[0];
            if (range < leastRange) break;
            // Split in the middle of the range, so that a small but different part keeps a colour of its own.
            const middle = Math.min(...group.map((color) => color[channel])) + range / 2;
            const isLow = (color) => color[channel] < middle;
            groups.splice(0, 1, spread(group.filter(isLow)), spread(group.filter((color) => !isLow(color))));
        }
        return groups.sort((a, b) => b.group.length - a.group.length).map(({ group }) => typical(group));
    };
})();
