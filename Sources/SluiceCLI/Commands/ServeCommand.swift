// SPDX-License-Identifier: MIT

internal import Sluice

extension Command {
    static let serve = Command(
        name: .serve,
        summary: "Serve a mirror's gallery over HTTP",
        about: [
            """
            Serves the mirror in DIR to browsers on this machine until Ctrl-C: its gallery, its photos and its manifest, and \
            no file whose name begins with a dot. While a run fills the mirror, photos appear in an open gallery as they \
            arrive.
            """,
            """
            Other machines are served only with --public, and there is no password: whoever reaches the port sees all of it.
            """,
        ],
        positionals: [Positional(name: "DIR", help: "The mirror's folder", completion: .folder)],
        examples: [
            Example(line: "sluice serve demo-mirror", meaning: "look at http://127.0.0.1:8000/"),
            Example(
                line: "sluice serve demo-mirror --public --host 0.0.0.0", meaning: "show it to everybody in the network"
            ),
        ],
        run: { options, console in
            do throws(MirrorError) {
                let server = try MirrorServer(options.positionals[0], options: options.serving)
                console.tell("\(escaped(options.positionals[0])) is at \(server.address) until Ctrl-C")
                await untilStopped(console)
                server.stop()
                return .done
            } catch {
                return console.fail(error)
            }
        })
}

/// Waits for the user's signal, which is how a server is meant to end.
private func untilStopped(_ console: Console) async {
    let watched = Locked<Signals?>(nil)
    await withCheckedContinuation { continuation in
        watched.withLock { $0 = Signals(first: { _ in continuation.resume() }, beforeEnd: {}) }
    }
    watched.withLock { $0 }?.end()
}
