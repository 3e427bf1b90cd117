// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Numbers and names photos in the source's order, counts their hosts, and writes their rows to one file.
///
/// Tasks make the rows of several batches concurrently. They are written in order, so the result does not depend on the
/// tasks.
///
/// A line of the file is the position of the photo's host, a space, and the row.
struct PlannedRows {
    /// A task for fewer photos takes so little time that it may share the core of the thread that starts it.
    private static let batchSize = 4000
    /// Memory is bounded, because batches with more photos than this are written at once.
    private static let maxWaitingPhotos = 12_000

    private let choice: VariantChoice
    private var names: FileNames
    private let file: RowFileWriter
    private var compression = FrameCompression()
    private var batch: [NumberedPage] = []
    private var batchCount = 0
    private var waiting: [(count: Int, rows: Task<PageRows, Never>)] = []
    /// The columns of the photos' lists; complete when the file is staged.
    private(set) var columns = ListedColumns()
    /// The number of photos, without those before the first.
    private(set) var count = 0
    /// The position before the first photo.
    private let start: Int
    /// The hosts in the order in which they were found, with the number of their photos.
    private(set) var hosts = HostCounts()
    /// The positions of the hosts of the last authorities, so that each is parsed seldom and not for each address.
    private var authorities: [Substring: Int] = [:]
    private static let maxAuthorities = 1 << 16

    /// Creates the file; the first photo gets the position after `start`.
    init(
        in store: any Store, choice: VariantChoice, naming names: FileNames, after start: Int
    ) throws(MirrorError) {
        (self.choice, self.names, self.start) = (choice, names, start)
        file = try MirrorError.onDisk(
            RowFileWriter("rows.jsonl.zst", in: store, encoder: ZstdEncoder(), bufferSize: 256 << 10))
    }

    mutating func add(_ photos: ArraySlice<Photo>, page: Int, of feed: String) async throws(Failure) {
        // A plan may be stored where others can read it.
        for photo in photos {
            if photo.variants.contains(where: { $0.userinfo != nil }) {
                throw Failure(.policy, "the address of photo '\(photo.id)' contains a password; use .netrc instead")
            }
            if photo.variants.contains(where: { !$0.headers.isEmpty }) {
                throw Failure(.policy, "photo '\(photo.id)' needs request headers, which may be secret")
            }
        }
        var numbered = NumberedPage(photos: photos, number: page, first: start + count + 1)
        count += photos.count
        if !names.areStems {
            numbered.names = photos.enumerated().map { offset, photo in
                names.name(for: Item(seq: numbered.first + offset, feed: feed, page: page, photo: photo))
            }
        }
        batch.append(numbered)
        batchCount += photos.count
        guard batchCount >= Self.batchSize else { return }
        makeRows()
        while waiting.reduce(0, { $0 + $1.count }) > Self.maxWaitingPhotos {
            do throws(FileError) { try await writeNext() } catch { throw Failure(error) }
        }
    }

    /// Splits a line of the file; returns `nil` if it is damaged.
    static func split(_ line: ArraySlice<UInt8>) -> (host: Int, row: ArraySlice<UInt8>)? {
        var (host, index) = (0, line.startIndex)
        while index < line.endIndex {
            let digit = line[index] &- UInt8(ascii: "0")
            guard digit < 10, host < Int.max / 10 - 1 else {
                return line[index] == UInt8(ascii: " ") && index > line.startIndex ? (host, line[(index + 1)...]) : nil
            }
            host = host * 10 + Int(digit)
            index += 1
        }
        return nil
    }

    /// Completes the file under its temporary name.
    mutating func stage() async throws(FileError) -> (file: StagedFile, sha256: String) {
        makeRows()
        while !waiting.isEmpty { try await writeNext() }
        try await compression.add(file.takeRows(), to: file)
        try await compression.finish()
        return try file.stage()
    }

    /// Lets a task make the rows of the batch.
    private mutating func makeRows() {
        waiting.append((batchCount, Task { [batch, choice] in PageRows(of: batch, choice: choice) }))
        (batch, batchCount) = ([], 0)
    }

    /// Writes the first batch that waits.
    private mutating func writeNext() async throws(FileError) {
        let batch = await waiting.removeFirst().rows.value
        columns.add(batch.columns)
        for (index, host) in batch.hosts.enumerated() {
            let position = position(of: host)
            hosts.count(at: position)
            file.add(batch.row(index), after: position)
            if file.isFull { try await compression.add(file.takeRows(), to: file) }
        }
    }

    private mutating func position(of host: PageRows.Host) -> Int {
        switch host {
        case .name(let name): return hosts.position(of: name)
        case .authority(let authority):
            if let known = authorities[authority] { return known }
            let position = hosts.position(of: WebAddress(authority.base)?.host ?? "")
            if authorities.count == Self.maxAuthorities { authorities = [:] }
            // A copy, because the key would keep the whole address.
            authorities[Substring(String(authority))] = position
            return position
        }
    }
}

/// A plan and the folder that it was read from.
struct OpenedPlan: Sendable {
    let plan: Plan
    /// The files of the folder.
    let store: any Store

    /// Opens the plans of one mirror in their order: that of the source and those that were appended to it, each
    /// followed by the plans of its leftovers.
    ///
    /// The first one may be appended to a plan that is not named. `purpose` begins the error's description.
    static func open(
        _ folders: [String], _ buckets: S3Options, to purpose: String = "merge"
    ) throws(MirrorError) -> [OpenedPlan] {
        var plans: [OpenedPlan] = []
        for folder in folders {
            let store = try Plan.store(folder, buckets)
            let opened = OpenedPlan(plan: try Plan(in: store), store: store)
            if let reason = opened.conflict(after: plans) {
                throw MirrorError(.usage, "cannot \(purpose) '\(folder)': \(reason)")
            }
            plans.append(opened)
        }
        return plans
    }

    /// Returns the reason why the plan cannot follow others.
    private func conflict(after plans: [OpenedPlan]) -> String? {
        guard let last = plans.last else {
            return plan.leftoversOf == nil ? nil : "it has the leftovers of another plan; name that plan first"
        }
        if let left = plan.leftoversOf {
            return left == last.plan.id ? nil : "it does not have the leftovers of '\(last.store.location)'"
        }
        guard let source = plans.last(where: { $0.plan.leftoversOf == nil }), plan.appendedTo != source.plan.id else {
            return nil
        }
        return "it was not appended to '\(source.store.location)'"
    }

    /// Returns each plan of a source with those of its leftovers.
    static func groups(_ plans: [OpenedPlan]) -> [[OpenedPlan]] {
        plans.reduce(into: []) { groups, opened in
            if opened.plan.leftoversOf == nil { groups.append([]) }
            groups[groups.count - 1].append(opened)
        }
    }
}
