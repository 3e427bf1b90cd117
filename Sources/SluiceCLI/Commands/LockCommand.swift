// SPDX-License-Identifier: MIT

internal import SluiceDatasets
internal import SluiceEngine
internal import SluiceModel

extension Command {
    static let lock = Command(
        name: .lock,
        summary: "Record which file each photo's address delivered",
        about: [
            """
            Prints a line for each photo of the mirror in DIR that has an original: SHA-256, size in bytes, perceptual \
            hash and address. The first line is \(LockedPhoto.header).
            """,
            """
            `sluice mirror FILE` downloads the photos of such a lock again and prints which of them have changed: \
            re-encoded (another file with a similar picture), replaced, placeholder (a picture that stands for \
            missing ones), page (a web page), home (a redirect to a home page), gone or failed. The exit code is then \
            3, unless --accept lists all these states.
            """,
        ],
        positionals: [.mirror],
        examples: [
            Example(line: "sluice lock demo-mirror", meaning: "print the lock of a mirror, for a file"),
            Example(
                line: "sluice mirror dataset.lock --out again --accept re-encoded",
                meaning: "download it again, and report changes"),
        ],
        run: { options, console in
            var lines = ""
            let count = try DatasetLock.write(of: options.positionals[0]) { line in
                lines += line + "\n"
                guard lines.utf8.count >= 1 << 16 else { return true }
                defer { lines = "" }
                return console.out.write(lines)
            }
            console.out.write(lines)
            if let code = console.out.exitCode { return code }
            console.printMessage("locked \(counted(count, "photo"))")
            return .done
        })
}

/// Prints the photos of a new mirror that differ from the lock.
struct LockReport {
    let lock: String
    let folder: String
    let run: LockRun
    let options: RawOptions
    let console: Console

    /// Compares the mirror with the lock; `runCode` is the exit code of its run.
    func print(after runCode: ExitCode) -> ExitCode {
        guard [.done, .itemsFailed].contains(runCode) else { return runCode }
        do throws(MirrorError) {
            let comparison = try LockComparison(of: lock, in: folder, after: run) { photo in
                guard photo.state != .same else { return }
                if options.output.isJSON {
                    console.out.write(Self.json(of: photo))
                } else {
                    console.print(Self.line(of: photo))
                }
            }
            let counts = LockedState.allCases.compactMap { state in
                comparison.counts[state].map { "\($0) \(state.rawValue)" }
            }
            console.printMessage("lock: " + counts.joined(separator: ", ") + notAsked)
            let accepted = options.update.acceptedStates.union([.same])
            guard comparison.counts.keys.allSatisfy(accepted.contains), !run.hasOtherFailures else {
                return .itemsFailed
            }
            // All failures of the run are photos of the lock in accepted states.
            return .done
        } catch {
            return console.fail(error)
        }
    }

    /// Says which photos an earlier run has compared, because this one did not ask their hosts.
    private var notAsked: String {
        let count = options.mirror.refreshes ? 0 : run.keptCount
        let verb = count == 1 ? "was" : "were"
        return count == 0
            ? "" : "; \(counted(count, "photo")) of earlier runs \(verb) not requested again (use --refresh)"
    }

    private static func line(of photo: LockComparison.ComparedPhoto) -> String {
        let reason = photo.evidence.isEmpty ? "" : "  (\(photo.evidence))"
        return escaped(padded(photo.state.rawValue, to: 13) + photo.locked.url + reason, columns: 2000)
    }

    private static func json(of photo: LockComparison.ComparedPhoto) -> [UInt8] {
        JSONEventWriter.line("locked-photo") { object in
            object.member("state", photo.state.rawValue)
            object.member("url", photo.locked.url)
            object.member("locked_sha256", photo.locked.sha256)
            object.member("evidence", photo.evidence)
        }
    }
}
