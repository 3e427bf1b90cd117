// SPDX-License-Identifier: MIT

// Writes the command that moves the photos which are not kept.
(() => {
    "use strict";
    const data = document.body.dataset;
    const find = (id) => document.getElementById(id);
    const groups = [...document.querySelectorAll(".group")];
    const boxes = (group) => [...group.querySelectorAll("input")];
    // A command line of more bytes may exceed the limit of Linux for one argument.
    const longest = 120000;

    function quoted(text) {
        return /^[\w./:=,+@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
    }

    function size(bytes) {
        const units = ["bytes", "kB", "MB", "GB", "TB"];
        let unit = 0;
        while (bytes >= 1000 && unit < units.length - 1) {
            bytes /= 1000;
            unit++;
        }
        return `${unit ? bytes.toFixed(1) : bytes} ${units[unit]}`;
    }

    function update() {
        const dropped = groups.flatMap(boxes).filter((box) => !box.checked);
        const folder = find("folder").value || "copies";
        const numbers = dropped.map((box) => box.value).join(",");
        const command = `${data.command} ${data.drop} ${numbers} ${data.move} ${quoted(folder.startsWith("-") ? `./${folder}` : folder)}`;
        const bytes = dropped.reduce((sum, box) => sum + Number(box.dataset.bytes), 0);
        const isTooLong = numbers.length > longest;
        find("command").textContent = dropped.length && !isTooLong ? command : "";
        find("copy").disabled = !dropped.length || isTooLong;
        find("sum").textContent = isTooLong
            ? "Too many photos for one command: keep some for another one."
            : dropped.length ? `${dropped.length} ${dropped.length === 1 ? "photo" : "photos"}, ${size(bytes)}` : "All photos are kept.";
    }

    for (const group of groups) {
        group.addEventListener("change", (event) => {
            // One photo of each group stays.
            const isKept = group.querySelector(".stays, input:checked");
            if (!isKept) event.target.checked = true;
            update();
        });
    }

    function choose(isKept) {
        for (const group of groups) {
            boxes(group).forEach((box) => { box.checked = isKept(box); });
        }
        update();
    }

    find("best").addEventListener("click", () => choose((box) => box.dataset.best === "1"));
    find("all").addEventListener("click", () => choose(() => true));
    find("folder").addEventListener("input", update);
    find("copy").addEventListener("click", async () => {
        const code = find("command");
        try {
            await navigator.clipboard.writeText(code.textContent);
            find("copy").textContent = "Copied";
            setTimeout(() => { find("copy").textContent = "Copy"; }, 1500);
        } catch {
            getSelection().selectAllChildren(code);
        }
    });
    update();
})();
