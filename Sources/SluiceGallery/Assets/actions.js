// SPDX-License-Identifier: MIT

// Downloads and copies what belongs to the selected photos. An action gets a function that returns their records and
// one that reports the progress, and returns a sentence about its result.
sluice.actions = (() => {
    const { make, grouped } = sluice.tiles;
    const { texts } = sluice;
    // Archives of more bytes are written to a file the user chooses while they grow, if the browser can.
    const maxInMemory = 256e6;

    async function list(records, text) {
        const lines = [];
        for await (const record of records()) {
            const line = text(record);
            if (line !== undefined) lines.push(line);
        }
        return lines;
    }

    // Copies a text; the older way also works on pages that are not from a secure origin.
    async function copy(text) {
        try {
            await navigator.clipboard.writeText(text);
        } catch {
            const area = make("textarea", { className: "leap" });
            area.value = text;
            (document.querySelector("dialog[open]") || document.body).append(area);
            area.select();
            const isCopied = document.execCommand("copy");
            area.remove();
            if (!isCopied) throw new Error("The browser does not allow copying.");
        }
    }

    const said = (number, one, many) => `Copied ${number === 1 ? `1 ${one}` : `${grouped(number)} ${many}`}.`;
    const original = (record) => record.file ? texts.file(record) : undefined;

    async function copyLines(records, text, one, many) {
        const lines = await list(records, text);
        await copy(`${lines.join("\n")}\n`);
        return said(lines.length, one, many);
    }

    async function command(records) {
        const found = await list(records, (record) => record.url ? record : undefined);
        if (!found.length) return "The selected photos have no web address.";
        await copy(texts.command(found));
        return `Copied a command for ${found.length === 1 ? "1 photo" : `${grouped(found.length)} photos`}.`;
    }

    async function download(records, report) {
        const files = [];
        let bytes = 0;
        for await (const record of records()) {
            if (!record.file) continue;
            files.push({ name: texts.file(record).replace(/^originals\//, ""), address: record.file });
            bytes += record.bytes;
        }
        if (!files.length) return "The selected photos have no originals.";
        if (!sluice.zip) await sluice.data.script("gallery/zip.js");
        const isStreamed = bytes > maxInMemory && "showSaveFilePicker" in window;
        const target = isStreamed
            ? await (await showSaveFilePicker({ suggestedName: "photos.zip" })).createWritable() : null;
        const parts = [];
        let done = 0;
        const read = async ({ address }) => {
            const reply = await fetch(address);
            if (!reply.ok) throw new Error(`Cannot load ${address}: ${reply.status}`);
            report(`${grouped(++done)} of ${grouped(files.length)} …`);
            return new Uint8Array(await reply.arrayBuffer());
        };
        // A blob lets the browser keep the bytes on disk.
        const write = target ? (part) => target.write(part) : (part) => { parts.push(new Blob([part])); };
        try {
            await sluice.zip.archive(files, read, write);
        } catch (error) {
            await target?.abort();
            throw error;
        }
        if (target) await target.close(); else save(new Blob(parts, { type: "application/zip" }));
        return files.length === 1 ? "1 original in photos.zip." : `${grouped(files.length)} originals in photos.zip.`;
    }

    function save(blob) {
        const address = URL.createObjectURL(blob);
        make("a", { href: address, download: "photos.zip" }).click();
        setTimeout(() => URL.revokeObjectURL(address), 60_000);
    }

    return {
        copy, download, command, print: async () => { await sluice.print(); return ""; },
        credits: (records) => copyLines(records, texts.credit, "credit", "credits"),
        files: (records) => copyLines(records, original, "file name", "file names"),
    };
})();
