// SPDX-License-Identifier: MIT

// Marks photos by keys and buttons, with the token from the address that "sluice serve --edit" prints.
sluice.startEditing = async (token) => {
    const { make, grouped } = sluice.tiles;
    const { data, grid, selection } = sluice;
    const detail = document.getElementById("detail");
    const address = "gallery/marks";
    const headers = { "Content-Type": "application/json", "X-Sluice-Token": token };
    const message = make("p", { id: "message", role: "status", hidden: "" });
    const shownFor = 5000;
    let isOn = false;
    let timer = 0;

    // Shows a sentence for a moment, above the open photo too, with a button to undo what it says. An empty one removes
    // that of a failure.
    function say(text, { isFailure = false, canUndo = false } = {}) {
        if (!text && !message.classList.contains("failure")) return;
        clearTimeout(timer);
        message.classList.toggle("failure", isFailure);
        message.textContent = text;
        message.hidden = !text;
        if (canUndo) {
            const button = make("button", { type: "button", text: "Undo", title: "Undo (U)" });
            button.addEventListener("click", undo);
            message.append(button);
        }
        (detail.open ? detail : document.body).append(message);
        if (!isFailure) timer = setTimeout(() => { message.hidden = true; }, shownFor);
    }

    const marks = sluice.marksOf(async (body) => {
        const reply = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
        const isJSON = reply.headers.get("Content-Type") === "application/json";
        return { status: reply.status, ...(isJSON ? await reply.json() : {}) };
    }, (text) => say(text, { isFailure: text !== "" }), (action) => setTimeout(action, 3000));

    // Updates the records of photos and the index.
    async function apply(seqs) {
        for (const at of seqs.map(data.ordinal)) {
            const record = at < 0 ? undefined : await data.record(at).catch(() => undefined);
            if (!record) continue;
            marks.amend(record);
            data.index.states[at] = sluice.view.letter(record.state);
            data.index.ratings[at] = Math.max(0, record.rating || 0);
        }
    }

    // Loads the marks that the gallery's files lack.
    async function load() {
        const reply = await fetch(address, { headers });
        if (!reply.ok) throw new Error("This page cannot change photos any more. Open the address that “sluice serve --edit” prints.");
        marks.load(await reply.json());
        await apply(marks.seqs);
    }

    // The ordinals of the photos that the next action concerns: the open one, the selected ones, or the one in focus.
    function targets() {
        const { photo } = sluice.current;
        const chosen = photo === null ? selection.ordinals() : [];
        if (chosen.length) return chosen;
        const at = grid.view.collections ? -1 : grid.placeOf(document.activeElement);
        const ordinal = photo !== null ? data.ordinal(photo) : at < 0 ? -1 : grid.view.at(at);
        return ordinal < 0 ? [] : [ordinal];
    }

    const counted = (records) => records.length === 1 ? "" : ` (${grouped(records.length)} photos)`;

    // Shows changed photos. An open one that has left the view makes room for the next.
    async function show(seqs) {
        await apply(seqs);
        const { photo } = sluice.current;
        const place = photo === null ? -1 : grid.view.placeOf(data.ordinal(photo));
        await sluice.reshow();
        if (photo === null || photo !== sluice.current.photo) return;
        if (place < 0 || grid.view.placeOf(data.ordinal(photo)) >= 0) return sluice.detail.open(photo);
        if (!grid.length) return sluice.leave();
        sluice.go({ ...sluice.current, photo: data.seq(grid.view.at(Math.min(place, grid.length - 1))) }, true);
    }

    async function change(records, markOf, text) {
        if (!records.length) return "";
        marks.change(records, markOf);
        const said = `${text}${counted(records)}.`;
        say(said, { canUndo: true });
        await show(records.map(({ seq }) => seq));
        return said;
    }

    const stars = (rating) => rating === 1 ? "1 star" : `${rating} stars`;
    const rate = (records, rating) => change(records, () => ({ rating: rating || null }), rating ? `Rated ${stars(rating)}` : "Removed the rating");

    // Rejects photos, or accepts them again if all are rejected.
    function reject(records) {
        const isBack = records.every(({ rating }) => rating < 0);
        return change(records, () => ({ rating: isBack ? null : -1 }), isBack ? "Accepted again" : "Rejected");
    }

    // Asks for a text; returns null if the user cancels.
    const ask = (title, value, hint = "") => new Promise((resolve) => {
        const input = make("input", { value, maxlength: 600, "aria-labelledby": "ask-title", autocomplete: "off" });
        const cancel = make("button", { type: "button", text: "Cancel" });
        const form = make("form", {}, make("h2", { id: "ask-title", text: title }), input,
            make("p", { text: hint }), make("div", {}, cancel, make("button", { type: "submit", text: "Save" })));
        const dialog = make("dialog", { id: "ask", "aria-labelledby": "ask-title" }, form);
        let answer = null;
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            answer = input.value.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
            dialog.close();
        });
        cancel.addEventListener("click", () => dialog.close());
        dialog.addEventListener("close", () => { dialog.remove(); resolve(answer); });
        document.body.append(dialog);
        dialog.showModal();
        input.select();
    });

    async function caption(records) {
        if (records.length !== 1) return "Select one photo for its caption.";
        const [record] = records;
        const text = await ask("Caption", record.user_caption || record.caption || "", record.caption ? "An empty text restores the original caption." : "");
        if (text === null) return "";
        const isOwn = text !== "" && text !== record.caption;
        return change(records, () => ({ user_caption: isOwn ? text : null }), isOwn ? "Changed the caption" : "Restored the caption");
    }

    const tagList = (text) => (text || "").split(",").map((tag) => tag.trim()).filter(Boolean);

    // Changes the tags of a photo, or adds some to several photos.
    async function tag(records) {
        const isOne = records.length === 1;
        const text = await ask(isOne ? "Your tags" : "Add tags", isOne ? records[0].user_tags || "" : "", "Separate tags by commas.");
        if (text === null) return "";
        const markOf = ({ user_tags: old }) => ({ user_tags: [...new Set([...(isOne ? [] : tagList(old)), ...tagList(text)])].join(", ") || null });
        return change(records, markOf, text || isOne ? "Changed the tags" : "No tags added");
    }

    async function rateByText(records) {
        const text = await ask("Rating", "", "0 to 5 stars.");
        return /^[0-5]$/.test(text || "") ? rate(records, Number(text)) : "";
    }

    // The action of a key, which gets the records of the photos that it concerns.
    const key = (action) => (event) => {
        const ordinals = isOn ? targets() : [];
        if (!ordinals.length) return false;
        Promise.all(ordinals.map(data.record)).then((records) => action(records, event)).catch((error) => say(error.message, { isFailure: true }));
    };

    function undo() {
        if (!isOn) return false;
        const seqs = marks.undo();
        say(seqs.length ? "Undone." : "Nothing to undo.");
        if (seqs.length) show(seqs);
    }

    const bindings = [
        ["1 2 3 4 5", "Rate with stars; 0 and 1 do not zoom", key((records, event) => rate(records, Number(event.key)))],
        ["0", "Remove the rating", key((records) => rate(records, 0))],
        ["x", "Reject, or accept again", key(reject)], ["e", "Caption", key(caption)], ["k", "Tags", key(tag)],
        ["Ctrl+z u", "Undo", undo],
    ];
    // Before the open photo's own keys: while photos can be marked, digits rate instead of zooming.
    sluice.bindKeys(detail, null, bindings);
    sluice.bindKeys(document, null, bindings);

    // The buttons for an open photo.
    function controls(record) {
        const button = (text, label, action, isPressed) => {
            const element = make("button", { type: "button", text, title: label, "aria-label": label, "aria-pressed": isPressed });
            element.addEventListener("click", () => action([record]));
            return element;
        };
        const rating = Math.max(0, record.rating || 0);
        const rows = [1, 2, 3, 4, 5].map((count) => button(count <= rating ? "★" : "☆", stars(count), (records) => rate(records, count === rating ? 0 : count), count === rating));
        return make("div", { className: "marks", role: "group", "aria-label": "Marks" }, make("span", {}, ...rows),
            button(record.rating < 0 ? "Accept" : "Reject", record.rating < 0 ? "Accept again (X)" : "Reject (X)", reject),
            button("Caption", "Caption (E)", caption), button("Tags", "Your tags (K)", tag));
    }

    function turnOn() {
        isOn = true;
        sluice.keys.push({ part: "Marks", bindings });
        // The selection's buttons get a function that returns the selected photos' records.
        const whole = (action) => async (records) => {
            const list = [];
            for await (const record of records()) list.push(record);
            return action(list);
        };
        for (const [id, text, action] of [["rate", "Rate", rateByText], ["reject", "Reject", reject], ["tag", "Tag", tag]]) {
            sluice.actions[id] = whole(action);
            document.getElementById("selection-status").before(make("button", { type: "button", text, "data-action": id, "data-needs": "photos" }));
        }
        selection.update();
        // Below the progress of a run.
        const stop = make("button", { type: "button", className: "stop", text: "Stop the run" });
        stop.addEventListener("click", async () => {
            const isAccepted = await marks.request({ stop: true });
            say(isAccepted ? "The run stops when the photos in flight are done." : "The run does not stop.", { isFailure: !isAccepted });
        });
        document.getElementById("live").after(stop);
    }

    addEventListener("beforeunload", (event) => { if (marks.isWaiting) event.preventDefault(); });
    // A tab keeps the token when its address loses it, since an address is for sharing.
    sessionStorage.setItem("edit", token);
    history.replaceState(history.state, "", location.pathname + location.hash);
    sluice.edit = { load: () => load().catch((error) => say(error.message, { isFailure: true })), amend: marks.amend, controls };
    try {
        await load();
        await sluice.loadDetail();
        turnOn();
        if (marks.seqs.length) await sluice.reshow();
    } catch (error) {
        sessionStorage.removeItem("edit");
        delete sluice.edit;
        say(error.message, { isFailure: true });
    }
};
