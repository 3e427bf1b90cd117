// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Divides the memory limit of a run between decodes, transfers and events.
///
/// Transfers and events get a small share. Decodes share the rest, according to the sizes in the pictures' headers. The
/// memory of the program itself is additional and the same for every run.
package struct MemoryBudget: Sendable, Hashable {
    /// Transfers and events together get one part in this many.
    private static let parts = 32
    /// With less memory than this, a second worker costs more than it gains.
    private static let minimumForTwoWorkers = 128 << 20
    /// The additional memory that each further worker requires.
    private static let perAdditionalWorker = 32 << 20

    let total: Int

    package init(_ total: Int) { self.total = max(Self.parts, total) }

    /// The memory in bytes for the buffers of bodies and connections.
    var transfers: Int { total / Self.parts / 2 }

    /// The number of connections that may be kept open.
    ///
    /// An idle connection with TLS takes about 32 KB, and the limit of descriptors applies, too. A run that takes turns
    /// between more hosts than this opens a connection for each photo.
    var connections: Int { min(4096, total >> 18) }

    /// How many unchanged events may wait for a reader.
    ///
    /// One takes about half a kilobyte; events share their item's data.
    var events: Int { max(1024, total / Self.parts / 2 / 512) }

    /// The memory in bytes for all decodes.
    var decodes: Int { total - total / Self.parts }

    /// Returns the number of concurrent decodes, at most `maximum`.
    ///
    /// Worker processes need memory of their own.
    package func decoders(upTo maximum: Int, _ isolation: Isolation) -> Int {
        guard case .workers = isolation else { return maximum }
        return min(maximum, 1 + max(0, total - Self.minimumForTwoWorkers) / Self.perAdditionalWorker)
    }

    /// Returns the failure of a picture whose decode needs more than the whole budget; `nil` if it fits.
    func refusal(ofDecodeTaking amount: Int) -> Failure? {
        guard amount > decodes else { return nil }
        // Rounded up, so that the need differs from the limit and the suggested value suffices.
        let (required, overflow) = amount.addingReportingOverflow(amount / (Self.parts - 1) + 1)
        return Failure(
            .decodeLimit, "needs about \((amount >> 20) + 1) MB to decode (limit \(decodes >> 20))",
            hint: .raiseMemory(megabytes: overflow ? nil : (required >> 20) + 1))
    }
}

/// The process in which pictures are decoded.
public enum Isolation: Sendable, Hashable {
    /// In this process. A picture that crashes a codec ends the process.
    case none
    /// In sandboxed worker processes without access to files or the network and with limited memory, one per concurrent
    /// decode.
    ///
    /// A worker starts when it is first needed and decodes many pictures. A worker that crashes is replaced. If no
    /// worker can be started, the run stops; nothing is decoded in this process. `executable` is the `sluice` command,
    /// or any program that calls ``DecodeWorker/serveIfAsked()`` first. The run also stops if the system cannot apply
    /// an essential protection to the workers, unless `acceptsWeakSandbox` is set.
    case workers(executable: String, acceptsWeakSandbox: Bool = false)

    /// In this process, except for pictures of restricted formats, which are decoded in workers.
    ///
    /// If no worker can be started, or lacks an essential protection, only these pictures fail.
    case workersForRestrictedFormats(executable: String, acceptsWeakSandbox: Bool = false)

    /// Workers that run the current executable.
    ///
    /// Outside Linux none can be started, so that runs stop.
    package static var ownWorkers: Isolation { .workers(executable: ownExecutable) }

    package static let ownExecutable = "/proc/self/exe"

    /// The same isolation, but with whatever protections the system can apply to workers.
    package var acceptingWeakSandbox: Isolation {
        guard case .workers(let executable, _) = self else { return self }
        return .workers(executable: executable, acceptsWeakSandbox: true)
    }
}
