// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// The attempts at one shard: folders below the mirror's hidden folder, each of them a mirror.
///
/// The name of an attempt is that of its machine with a random suffix, so no two attempts use the same folder unless
/// one resumes the other.
struct ShardAttempts: Sendable {
    /// The folder of the attempts of all plans, relative to the mirror's folder.
    private static let parent = "\(MirrorFolder.marker)/shards"

    let folder: Folder

    /// Opens the folder of a shard's attempts.
    init(of shard: Int, of plan: Plan, below destination: String, create: Bool = false) throws(MirrorError) {
        let path = "\(destination)/\(Self.name(of: shard, of: plan))"
        do throws(FileError) { folder = try Folder(path, create: create) } catch {
            throw MirrorError(.local, "cannot use '\(destination)' as the output folder: \(error)", hint: .chooseFolder)
        }
    }

    /// Returns the name of the folder of a shard's attempts, relative to the mirror's folder.
    static func name(of shard: Int, of plan: Plan) -> String {
        "\(name(of: plan))/\(Plan.digits(shard))"
    }

    private static func name(of plan: Plan) -> String { "\(parent)/\(plan.id.prefix(16))" }

    /// Removes all attempts at the shards of these plans; those of other plans stay.
    static func removeAll(of plans: [Plan], in mirror: Folder) throws(FileError) {
        try mirror.makeFolder(parent)
        for plan in plans { try mirror.removeTree(name(of: plan)) }
        if try mirror.names(in: parent).isEmpty { try mirror.removeTree(parent) }
    }

    /// Returns a name for a new attempt.
    static func newName() -> String {
        "\(machine)-\(String(UInt64.random(in: 0...UInt64.max), radix: 16).zeroPadded(to: 16))"
    }

    /// Returns the attempts of all machines.
    func all() throws(MirrorError) -> [String] { try MirrorError.onDisk(folder.names()) }

    /// Returns the attempts that started on this machine.
    func ofThisMachine() throws(MirrorError) -> [String] {
        try MirrorError.onDisk(folder.names()).filter { name in
            name.hasPrefix("\(Self.machine)-") && name.utf8.count == Self.machine.utf8.count + 17
        }
    }

    func path(of attempt: String) -> String { folder.fullPath(of: attempt) }

    /// Hashes the ledger of an attempt, which no process may write to any more.
    func ledger(of attempt: Folder) throws(MirrorError) -> StoredFile {
        let file = try MirrorError.onDisk(attempt.openForReading(Ledger.name))
        guard let sha256 = SHA256.digest(ofFileAt: file.descriptor) else {
            throw MirrorError(.local, "cannot read '\(file.path)'")
        }
        return StoredFile(path: Ledger.name, bytes: try MirrorError.onDisk(file.size), sha256: sha256)
    }

    /// The machine's name as a part of a file name.
    private static let machine: String = {
        let plain = Machine.hostName.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return String(plain.prefix(64))
    }()
}
