// SPDX-License-Identifier: MIT

internal import Sluice

extension Command {
    static let explain = Command(
        name: .explain,
        summary: "Tell what failed, why, and what could be had still",
        about: [
            """
            Tells of the mirror in DIR what is not done, by cause and host, the most frequent first; which of it can be \
            had by trying again or with another option, and the commands that would; and the share of photos that can be \
            reached at most. It reads the ledger alone and asks nobody.
            """
        ],
        positionals: [Positional(name: "DIR", help: "The mirror's folder", completion: .folder)],
        examples: [
            Example(line: "sluice explain demo-mirror", meaning: "what failed, and what to do"),
            Example(line: "sluice explain demo-mirror --json | jq -r .commands[]", meaning: "the commands alone"),
        ],
        run: { options, console in
            let folder = options.positionals[0]
            do throws(MirrorError) {
                let explanation = Explanation(try Mirror.explain(folder), in: folder)
                if options.isJSON {
                    console.out.write(explanation.json)
                } else {
                    for line in explanation.lines(style: console.outStyle) { console.print(line) }
                }
                return .done
            } catch {
                return console.fail(error)
            }
        })
}
