// SPDX-License-Identifier: MIT
"use strict";

// Computes how far a photo is enlarged and where it lies. Offsets are the distances in pixels between the centres of
// the photo and the stage; a scale of 1 shows a pixel of the photo in a pixel of CSS.
sluice.zoom = (() => {
    const { clamp } = sluice;

    // How much a small picture is enlarged to fit the stage. More would show nothing but its blurred pixels.
    const maxEnlargement = 4;

    // The scales that a stage offers for a picture: the whole picture is visible, the stage is filled, a pixel of the
    // picture takes a pixel of the screen, and the largest.
    function scales(stage, picture, pixelRatio = 1) {
        const across = stage.width / picture.width;
        const down = stage.height / picture.height;
        const actual = 1 / pixelRatio;
        const fit = Math.min(across, down, maxEnlargement * actual);
        const most = 8 * Math.max(fit, actual);
        return { fit, fill: Math.min(Math.max(across, down), most), actual, most };
    }

    // The scale that a click selects. A small photo is enlarged to twice the size that fits.
    const closer = (scales) => Math.max(scales.actual, 2 * scales.fit);

    const fitted = (scales) => ({ scale: scales.fit, x: 0, y: 0 });
    const isFitted = (state, scales) => Math.abs(state.scale / scales.fit - 1) < 0.005;

    // Changes the scale. The point of the picture that lies at `x` and `y` stays there.
    function scaled(state, scale, x = 0, y = 0) {
        const ratio = scale / state.scale;
        return { scale, x: x - (x - state.x) * ratio, y: y - (y - state.y) * ratio };
    }

    // Multiplies the scale by a factor, within the limits. A picture smaller than the stage does not shrink further.
    function zoomed(state, factor, scales, x = 0, y = 0) {
        return scaled(state, clamp(Math.min(scales.fit, state.scale), state.scale * factor, scales.most), x, y);
    }

    const moved = (state, dx, dy) => ({ ...state, x: state.x + dx, y: state.y + dy });

    // Moves the picture so that it leaves no more of the stage empty than it must.
    function settled(state, stage, picture) {
        const within = (offset, length, visible) => {
            const room = Math.max(0, (length * state.scale - visible) / 2);
            return clamp(-room, offset, room);
        };
        return { ...state, x: within(state.x, picture.width, stage.width), y: within(state.y, picture.height, stage.height) };
    }

    // The distance between two pointers, and the point between them.
    function span(first, second) {
        return {
            distance: Math.max(1, Math.hypot(first.x - second.x, first.y - second.y)),
            x: (first.x + second.x) / 2, y: (first.y + second.y) / 2,
        };
    }

    // The state when two pointers, `from` each other as in a span, have moved `to` another span.
    function pinched(state, from, to, scales) {
        return moved(zoomed(state, to.distance / from.distance, scales, from.x, from.y), to.x - from.x, to.y - from.y);
    }

    // The action of a finger's movement over a photo that fits the stage: "next", "previous", "close" or
    // "facts". A short
    // movement has none.
    function swipe(dx, dy) {
        if (Math.abs(dx) > 48 && Math.abs(dx) > 1.5 * Math.abs(dy)) return dx < 0 ? "next" : "previous";
        if (Math.abs(dy) < 1.5 * Math.abs(dx)) return "";
        return dy > 90 ? "close" : dy < -60 ? "facts" : "";
    }

    return { scales, closer, fitted, isFitted, scaled, zoomed, moved, settled, span, pinched, swipe };
})();
