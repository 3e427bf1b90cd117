// SPDX-License-Identifier: MIT

// Shows one photo, and enlarges and moves it by wheel, fingers, mouse, keys and buttons.
sluice.stage = (() => {
    const { make, icon, shortName, stateLabel, shownFile, backdropOf } = sluice.tiles;
    const zoom = sluice.zoom;
    const stage = document.getElementById("stage");
    const controls = document.getElementById("zoom");
    const level = document.getElementById("zoom-level");
    const note = document.getElementById("note");
    let state = null;
    let size = null;
    // Whether the picture is a thumbnail, because the original is not in reach.
    let isThumbnail = false;
    // A swipe in progress: the photo follows the finger.
    let drag = { x: 0, y: 0 };
    // Called with "next", "previous", "close" or "facts" after a swipe, and after a finger's tap.
    let onSwipe = () => {};
    let onTap = () => {};

    const bounds = () => ({ width: stage.clientWidth, height: stage.clientHeight });
    const scales = () => zoom.scales(bounds(), size, devicePixelRatio);
    const isZoomed = () => size !== null && !zoom.isFitted(state, scales());

    function draw(isSmooth = false) {
        if (!size) return;
        const { fit, actual } = scales();
        stage.classList.toggle("smooth", isSmooth);
        stage.classList.toggle("zoomed", isZoomed());
        for (const picture of stage.querySelectorAll("img")) {
            picture.style.width = `${size.width * fit}px`;
            picture.style.height = `${size.height * fit}px`;
            const [x, y] = [state.x + drag.x, state.y + drag.y];
            picture.style.transform = `translate(-50%, -50%) translate(${x}px, ${y}px) scale(${state.scale / fit})`;
            picture.style.opacity = drag.y ? Math.max(0.3, 1 - drag.y / 500) : "";
        }
        level.textContent = `${Math.round(100 * state.scale / actual)}\u202f%`;
        // An enlarged thumbnail looks like a bad photo.
        note.hidden = !isThumbnail || state.scale <= 1.005 * actual;
        note.textContent = note.hidden ? "" : `Thumbnail of ${size.width} × ${size.height} pixels, shown at ${level.textContent}`;
    }

    function change(next, isSmooth = false) {
        if (!size) return;
        state = zoom.settled(next, bounds(), size);
        draw(isSmooth);
    }

    // Takes over the size of the picture. A zoomed picture keeps its size on the screen when a larger file arrives.
    function measure(width, height) {
        if (!width || !height) return;
        if (size && size.width === width && size.height === height) return draw();
        const before = isZoomed() ? { width: size.width * state.scale, ...state } : null;
        size = { width, height };
        state = before ? { ...before, scale: before.width / width } : zoom.fitted(scales());
        controls.hidden = false;
        change(state);
    }

    function clear() {
        size = null;
        isThumbnail = false;
        note.hidden = true;
        drag = { x: 0, y: 0 };
        controls.hidden = true;
        stage.className = "stage";
        stage.replaceChildren();
    }

    // Shows a photo: first its smallest thumbnail, then the original.
    function show(record) {
        clear();
        if (!record.thumbs) return showMessage(stateLabel(record), record.state === "done" ? "photos" : record.state, record.cause);
        const largest = record.thumbs[record.thumbs.length - 1].file;
        const original = shownFile(record);
        const backdrop = backdropOf(record);
        const soft = make("img", { className: `soft ${backdrop}`, src: record.thumbs[0].file, alt: "", draggable: "false" });
        const sharp = make("img", { className: `sharp ${backdrop}`, src: original || largest, alt: shortName(record), draggable: "false" });
        const arrive = () => {
            sharp.classList.add("there");
            // Two layers of a transparent picture would both be seen.
            if (backdrop) soft.remove();
            if (!stage.contains(sharp)) return;
            isThumbnail = sharp.getAttribute("src") !== original;
            measure(sharp.naturalWidth, sharp.naturalHeight);
        };
        sharp.onload = arrive;
        sharp.onerror = () => {
            if (sharp.getAttribute("src") !== largest) sharp.src = largest;
            else if (stage.contains(sharp)) showMessage("The file is missing", "failed", record.cause);
        };
        stage.replaceChildren(soft, sharp);
        measure(record.width, record.height);
        if (sharp.complete && sharp.naturalWidth) arrive();
    }

    function showMessage(label, symbol, cause) {
        clear();
        stage.className = "stage bare";
        stage.replaceChildren(icon(symbol), make("b", { text: label }), ...(cause ? [make("code", { text: cause })] : []));
    }

    const reset = (isSmooth = true) => { if (size) change(zoom.fitted(scales()), isSmooth); };
    const scaleTo = (name) => change(zoom.scaled(state, scales()[name]), true);
    const multiply = (factor) => change(zoom.zoomed(state, factor, scales()), true);
    // Toggles between the whole photo and a closer view, centred on a point.
    function toggle(point = { x: 0, y: 0 }) {
        if (isZoomed()) reset(); else change(zoom.scaled(state, zoom.closer(scales()), point.x, point.y), true);
    }

    const commands = {
        in: () => multiply(1.5), out: () => multiply(1 / 1.5), fit: reset, fill: () => scaleTo("fill"), actual: () => scaleTo("actual"),
    };
    controls.addEventListener("click", (event) => commands[event.target.closest("button")?.dataset.zoom]?.());

    const pan = (x, y) => change(zoom.moved(state, x * stage.clientWidth / 8, y * stage.clientHeight / 8), true);
    const panKeys = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const withPicture = (action) => () => size ? action() : false;
    const keys = [
        [Object.keys(panKeys).join(" "), "Move the enlarged photo", ({ key }) => isZoomed() ? pan(...panKeys[key]) : false],
        ["+ =", "Zoom in", withPicture(commands.in)], ["-", "Zoom out", withPicture(commands.out)],
        ["0", "The whole photo", withPicture(commands.fit)], ["f", "Fill the window", withPicture(commands.fill)],
        ["1", "Original size", withPicture(commands.actual)], ["z", "Closer, and back", withPicture(() => toggle())],
    ];

    // A position relative to the stage's centre.
    function point(event) {
        const box = stage.getBoundingClientRect();
        return { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 };
    }

    stage.addEventListener("wheel", (event) => {
        event.preventDefault();
        if (!size) return;
        const pixels = event.deltaY * [1, 30, 300][event.deltaMode];
        const { x, y } = point(event);
        // Browsers report the pinch of a touchpad as small steps of the wheel with the Control key.
        const factor = Math.exp(-sluice.clamp(-200, pixels, 200) / (event.ctrlKey ? 100 : 400));
        change(zoom.zoomed(state, factor, scales(), x, y));
    }, { passive: false });

    const pointers = new Map();
    // The gesture of the pointers: the start and the movement of the first one, and the last tap.
    let start = null;
    let tap = { time: -Infinity, x: 0, y: 0 };
    const isNear = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < 30;

    stage.addEventListener("pointerdown", (event) => {
        if (event.button) return;
        const at = point(event);
        pointers.set(event.pointerId, at);
        stage.setPointerCapture(event.pointerId);
        if (pointers.size === 1) start = { ...at, isMoved: false, isPinch: false };
        else if (start) start.isPinch = true;
    });

    stage.addEventListener("pointermove", (event) => {
        const before = pointers.get(event.pointerId);
        if (!before || !start) return;
        const at = point(event);
        if (!start.isMoved && pointers.size === 1 && Math.hypot(at.x - start.x, at.y - start.y) <= 8) return;
        start.isMoved = true;
        if (!size && pointers.size > 1) return;
        if (pointers.size > 1) {
            const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
            change(zoom.pinched(state, zoom.span(before, other), zoom.span(at, other), scales()));
        } else if (isZoomed()) {
            stage.classList.add("dragging");
            change(zoom.moved(state, at.x - before.x, at.y - before.y));
        } else if (!start.isPinch) {
            const [dx, dy] = [at.x - start.x, at.y - start.y];
            drag = Math.abs(dx) > Math.abs(dy) ? { x: dx, y: 0 } : { x: 0, y: Math.max(0, dy) };
            draw();
        }
        pointers.set(event.pointerId, at);
    });

    function endGesture(event, isComplete) {
        if (!pointers.delete(event.pointerId) || !start || pointers.size) return;
        const { isMoved, isPinch, ...from } = start;
        start = null;
        stage.classList.remove("dragging");
        const wasDragged = drag.x || drag.y;
        drag = { x: 0, y: 0 };
        const at = point(event);
        if (wasDragged) draw(true);
        if (!isComplete || isPinch) return;
        if (!isMoved) return endTap(at, event);
        const direction = !isZoomed() && zoom.swipe(at.x - from.x, at.y - from.y);
        const isAcross = direction === "next" || direction === "previous";
        if (direction && (isAcross || event.pointerType !== "mouse")) onSwipe(direction);
    }

    // A click zooms, and so does the second of two taps.
    function endTap(at, event) {
        const isSecond = event.timeStamp - tap.time < 350 && isNear(at, tap);
        tap = isSecond ? { time: -Infinity, x: 0, y: 0 } : { time: event.timeStamp, ...at };
        if (!isSecond && event.pointerType !== "mouse") onTap();
        if (size && isSecond !== (event.pointerType === "mouse")) toggle(at);
    }

    stage.addEventListener("pointerup", (event) => endGesture(event, true));
    stage.addEventListener("pointercancel", (event) => endGesture(event, false));
    new ResizeObserver(() => {
        if (!size) return;
        if (isZoomed() && stage.classList.contains("zoomed")) change(state); else reset(false);
    }).observe(stage);

    return {
        show, showMessage, clear, reset, keys, element: stage,
        get isLoading() { return stage.querySelector(".sharp:not(.there)") !== null; },
        get isZoomed() { return isZoomed(); },
        set onSwipe(action) { onSwipe = action; }, set onTap(action) { onTap = action; },
    };
})();
