// SPDX-License-Identifier: MIT

// The texts that selected photos are copied as.
sluice.texts = (() => {
    const oneLine = (text) => text.replace(/\s+/g, " ").trim();

    // One line with the name, the author, the licence and the page of a photo.
    function credit(record) {
        const by = record.attribution || (record.author && `by ${record.author}`);
        const license = [record.license, record.license_url && `(${record.license_url})`].filter(Boolean).join(" ");
        return oneLine([`“${record.user_caption || record.caption || `Photo ${record.seq}`}”`, by, license, record.page_url].filter(Boolean).join(", "));
    }

    // The path of the original, relative to the mirror's folder.
    const file = (record) => decodeURIComponent(record.file);

    const members = ["url", "id", "caption", "author", "author_url", "page_url", "license", "license_url", "attribution", "collection", "date"];
    // A record of a list. Characters that a terminal could take for commands are escaped.
    function listed(record) {
        const known = Object.fromEntries(members.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));
        // Lists state dates as text.
        if (record.date !== undefined) known.date = new Date(1000 * record.date).toISOString().replace(".000", "");
        return JSON.stringify(known).replace(
            /[\x7f-\x9f\u2028\u2029\ufeff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
    }

    // A shell command that mirrors these photos to another folder. The quoted end keeps the shell from interpreting
    // the list.
    const command = (records) => ["sluice mirror - --out selection <<'END'", ...records.map(listed), "END", ""].join("\n");

    return { credit, file, command };
})();
