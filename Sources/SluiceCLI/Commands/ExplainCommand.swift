// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine

extension Command {
    static let explain = Command(
        name: .explain,
        summary: "Explain failures and what can still be recovered",
        about: [
            """
            Lists the unfinished photos of the mirror in DIR, and those without thumbnails, by cause and host, the \
            most frequent first. Prints which of them may be recovered by a retry or with another option, the \
            commands for that, and the highest share of photos that can succeed. Reads only the ledger and sends no \
            requests.
            """
        ],
        positionals: [.mirror],
        examples: [
            Example(line: "sluice explain demo-mirror", meaning: "list failures and recovery commands"),
            Example(line: "sluice explain demo-mirror --json | jq -r .commands[]", meaning: "print only the commands"),
        ],
        run: { options, console in
            let folder = options.positionals[0]
            let explanation = Explanation(
                try PhotoMirror.explain(folder, buckets: options.mirror.buckets), in: folder)
            if options.output.isJSON {
                console.out.write(explanation.json)
            } else {
                for line in explanation.lines(style: console.outStyle, hasHead: console.out.isTerminal) {
                    console.print(line)
                }
            }
            return .done
        })
}
