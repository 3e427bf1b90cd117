// SPDX-License-Identifier: MIT

// Shows the keys in a dialog, as the scripts have bound them.
sluice.help = () => {
    const { make } = sluice.tiles;
    const names = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", PageUp: "Page ↑", PageDown: "Page ↓" };
    const row = ([keys, text]) => make("div", {},
        make("dt", {}, ...keys.split(" ").map((key) => make("kbd", { text: names[key] || key }))), make("dd", { text }));
    const close = make("button", { type: "button", className: "icon", "aria-label": "Close (Escape)", title: "Close (Esc)" }, sluice.tiles.icon("close"));
    const dialog = make("dialog", { id: "help", "aria-labelledby": "help-title" },
        close, make("h2", { id: "help-title", text: "Keys" }),
        make("div", { className: "keys" }, ...sluice.keys.map(({ part, bindings }) =>
            make("section", {}, make("h3", { text: part }), make("dl", {}, ...bindings.map(row))))));
    close.addEventListener("click", () => dialog.close());
    // A click beside the dialog has the dialog itself as its target.
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
};
