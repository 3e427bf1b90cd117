// SPDX-License-Identifier: MIT

// Keeps the marks that the user makes. It changes records at once, sends the marks in their order, and undoes them.
//
// `post(body)` sends a request and returns the status and members of its answer, `report(text)` shows why marks are not
// stored, or "", and `later(action)` repeats what may pass.
sluice.marksOf = (post, report, later) => {
    const maxMarks = 100;
    const maxLength = 8000;
    // Marks that the gallery's data may lack, by sequence number, and those that are not stored yet.
    let stored = new Map();
    const waiting = [];
    // Lists of marks that undo an action each, the last one at the end.
    const past = [];
    let revision = 0;
    let isSending = false;

    // Sets the marks of a record; `null` removes one.
    function put(record, { seq, ...mark }) {
        for (const [name, value] of Object.entries(mark)) {
            if (value === null) delete record[name]; else record[name] = value;
        }
        const isRejected = record.rating < 0;
        if (isRejected === (record.state === "rejected")) return;
        // The data of a rejected photo does not state what it would be otherwise.
        if (isRejected) [record.accepted, record.state] = [record.state, "rejected"];
        else record.state = record.accepted || (record.file || record.thumbs ? "done" : "skipped");
    }

    function batch() {
        let count = 1;
        while (count < Math.min(waiting.length, maxMarks) && JSON.stringify(waiting.slice(0, count + 1)).length < maxLength) count++;
        return waiting.slice(0, count);
    }

    function store(marks) {
        for (const mark of marks) stored.set(mark.seq, { ...stored.get(mark.seq), ...mark });
    }

    async function send() {
        if (isSending) return;
        isSending = true;
        for (let conflicts = 0; waiting.length;) {
            const marks = batch();
            const answer = await post({ revision, marks }).catch(() => ({ status: 0 }));
            if (answer.status === 200 || answer.status === 409) revision = answer.revision;
            if (answer.status === 200) {
                waiting.splice(0, marks.length);
                store(marks);
                conflicts = 0;
                report("");
            } else if (answer.status !== 409 || ++conflicts > 9) {
                const mayPass = [0, 409, 503].includes(answer.status);
                if (mayPass) later(send); else waiting.splice(0, marks.length);
                report(mayPass ? "Not stored yet: the server does not answer." : "Not stored: the server refused it. Reload the page.");
                break;
            }
        }
        isSending = false;
    }

    return {
        // Gives records the marks that `markOf` returns for each.
        change(records, markOf) {
            past.push(records.map((record) => {
                const mark = { seq: record.seq, ...markOf(record) };
                const before = Object.fromEntries(Object.keys(mark).map((name) => [name, record[name] ?? null]));
                put(record, mark);
                waiting.push(mark);
                return before;
            }));
            send();
        },
        // Undoes the last action; returns the sequence numbers of its photos, none if there is nothing to undo.
        undo() {
            const marks = past.pop() || [];
            waiting.push(...marks);
            send();
            return marks.map(({ seq }) => seq);
        },
        // Sends a request other than for marks; returns whether the server accepted it.
        async request(body) {
            for (let conflicts = 0; conflicts < 9; conflicts++) {
                const answer = await post({ revision, ...body }).catch(() => ({ status: 0 }));
                if (answer.status === 200 || answer.status === 409) revision = answer.revision;
                if (answer.status !== 409) return answer.status === 200;
            }
            return false;
        },
        // Takes over the marks that wait at the server.
        load(answer) {
            revision = answer.revision;
            stored = new Map();
            store(answer.marks);
        },
        // Gives a record from the gallery's data the marks that the data lacks.
        amend(record) {
            if (stored.has(record.seq)) put(record, stored.get(record.seq));
            for (const mark of waiting) if (mark.seq === record.seq) put(record, mark);
        },
        // The sequence numbers of photos whose data may lack marks.
        get seqs() { return [...new Set([...stored.keys(), ...waiting.map(({ seq }) => seq)])]; },
        get isWaiting() { return waiting.length > 0; },
    };
};
