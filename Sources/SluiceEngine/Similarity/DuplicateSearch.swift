// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceImaging
package import SluiceLedger
public import SluiceModel
package import SluiceStore

/// Finds the photos of a mirror that are copies of each other, and which one of each group is best.
///
/// Perceptual hashes tell which photos may be copies; then their pixels are compared.
/// Every photo of a group is a copy of its first one, so that dropping the others loses no picture. The memory depends
/// on the number of photos.
public final class DuplicateSearch: Sendable {
    /// The mirror's folder.
    public let folder: String
    /// The options.
    public let options: DuplicateOptions
    private let buckets: S3Options
    private let token = CancellationToken()

    /// Describes a search; nothing is opened before ``run(progress:)``.
    public init(in folder: String, options: DuplicateOptions = DuplicateOptions(), buckets: S3Options = S3Options()) {
        (self.folder, self.options, self.buckets) = (folder, options, buckets)
    }

    /// Stops the search.
    public func stop() { token.cancel() }

    /// Performs the search; calls `progress` with the number of pictures that were read.
    public func run(progress: (Int) -> Void = { _ in }) throws(MirrorError) -> DuplicateReport {
        let mirror = try MirrorFolder.open(reading: folder, buckets: buckets)
        var contents = try Contents(of: mirror.ledger, mirror: 0) { _ in false }
        guard let reference = options.reference else {
            return try search(contents.all, in: [mirror.store], progress)
        }
        guard try MirrorFolder.find(reference).resolvedPathOrNil != mirror.state.resolvedPathOrNil else {
            throw MirrorError(.usage, "cannot use '\(reference)' as the reference: it is the same mirror")
        }
        let other = try MirrorFolder.open(reading: reference, buckets: buckets)
        contents.add(try Contents(of: other.ledger, mirror: 1) { _ in true })
        return try search(contents.all, in: [mirror.store, other.store], progress)
    }

    /// Searches the accepted photos of an open mirror.
    ///
    /// Photos of the reference are preferred, are not compared with each other, and are not
    /// ``DuplicateGroup/droppable``.
    package func run(
        in ledger: Ledger, _ store: any Store, accepting accepts: (LedgerEntry) -> Bool = { _ in true },
        reference isReference: (LedgerEntry) -> Bool = { _ in false }
    ) throws(MirrorError) -> DuplicateReport {
        let contents = try Contents(of: ledger, mirror: 0, accepting: accepts, reference: isReference)
        return try search(contents.all, in: [store], { _ in })
    }

    /// The contents of mirrors, each once.
    private struct Contents {
        private(set) var all: [DuplicateContent] = []
        private var places: [ExactText: Int] = [:]

        init(
            of ledger: Ledger, mirror number: Int, accepting accepts: (LedgerEntry) -> Bool = { _ in true },
            reference isReference: (LedgerEntry) -> Bool
        ) throws(MirrorError) {
            var batches = ledger.batches()
            while let entries = try MirrorError.inLedger(batches.next()) {
                for entry in entries where accepts(entry) {
                    guard let content = DuplicateContent(entry, mirror: number, isReference: isReference(entry)) else {
                        continue
                    }
                    add(content)
                }
            }
        }

        mutating func add(_ other: Contents) { for content in other.all { add(content) } }

        private mutating func add(_ content: DuplicateContent) {
            if let place = places[ExactText(content.sha256)] {
                all[place].add(content)
            } else {
                places[ExactText(content.sha256)] = all.count
                all.append(content)
            }
        }
    }

    private func search(
        _ contents: [DuplicateContent], in stores: [any Store], _ progress: (Int) -> Void
    ) throws(MirrorError) -> DuplicateReport {
        let reader = SampleReader(contents, stores, options, token: token)
        var candidates = DuplicateCandidates()
        candidates.add(
            contents.enumerated().compactMap { number, content in content.phash.map { (number, $0) } },
            distance: options.distance, isReference: { contents[$0].isReference })
        var stars: [Int: [Copy]] = [:]
        var members: Set<Int> = []
        for pairs in candidates.parts(of: contents.count) where !token.isCancelled {
            let found = try copies(of: pairs, contents, reader)
            progress(reader.count)
            for (best, copies) in Self.stars(found, contents) {
                stars[best] = copies
                members.formUnion(copies.map(\.content))
            }
        }
        var report = DuplicateReport()
        for (number, content) in contents.enumerated() where !members.contains(number) {
            let copies = stars[number] ?? []
            let group = Self.group(content, copies.map { (contents[$0.content], $0.isTurned) })
            // Copies within the reference are not the user's concern.
            guard group.members.count > 1, group.members.contains(where: { !$0.isReference }) else { continue }
            report.groups.append(group)
        }
        report.groups.sort { ($1.members.count, $0.members[0].item) < ($0.members.count, $1.members[0].item) }
        report.unreadable = reader.unreadable.count
        report.isStopped = token.isCancelled
        return report
    }

    /// A content that shows the same picture as another one.
    private typealias Copy = (content: Int, isTurned: Bool)

    /// Compares the pixels of pairs.
    ///
    /// - Returns: the copies of each content that has some.
    private func copies(
        of pairs: [DuplicateCandidates.Pair], _ contents: [DuplicateContent], _ reader: SampleReader
    ) throws(MirrorError) -> [Int: [Copy]] {
        let wanted = pairs.filter { !options.ignored.contains(contents[$0.first].sha256, contents[$0.second].sha256) }
        var pictures: [Int: ComparedPicture] = [:]
        try reader.forEach(Set<Int>(wanted.flatMap { [$0.first, $0.second] }).sorted()) { number, sample in
            pictures[number] = ComparedPicture(sample)
        }
        var copies: [Int: [Copy]] = [:]
        for pair in wanted where !token.isCancelled {
            guard let first = pictures[pair.first], let second = pictures[pair.second],
                let symmetry = second.symmetry(as: first)
            else { continue }
            copies[pair.first, default: []].append((pair.second, symmetry != Symmetry()))
            copies[pair.second, default: []].append((pair.first, symmetry != Symmetry()))
        }
        return copies
    }

    private static func stars(
        _ copies: [Int: [Copy]], _ contents: [DuplicateContent]
    ) -> [(best: Int, copies: [Copy])] {
        let order = copies.keys.sorted { first, second in
            let (one, other) = (contents[first], contents[second])
            if one.advantage(over: other) != nil { return true }
            return other.advantage(over: one) == nil && first < second
        }
        var taken: Set<Int> = []
        var stars: [(best: Int, copies: [Copy])] = []
        for best in order where taken.insert(best).inserted {
            let own = (copies[best] ?? []).filter { taken.insert($0.content).inserted }
            if !own.isEmpty { stars.append((best, own)) }
        }
        return stars
    }

    private static func group(
        _ best: DuplicateContent, _ copies: [(content: DuplicateContent, isTurned: Bool)]
    ) -> DuplicateGroup {
        var members: [DuplicateGroup.Member] = []
        for photo in best.photos {
            var member = photo.member
            member.relation = members.isEmpty ? .best : .same
            if !members.isEmpty {
                member.reason = best.isReference && !member.isReference ? "in the reference" : "listed first"
            }
            members.append(member)
        }
        for (content, isTurned) in copies {
            for photo in content.photos {
                var member = photo.member
                member.relation = isTurned ? .turned : .copy
                member.reason =
                    best.isReference ? "in the reference" : best.advantage(over: content) ?? "listed first"
                members.append(member)
            }
        }
        return DuplicateGroup(members: members, placeholderHost: best.placeholderHost)
    }
}

extension Folder {
    /// The absolute path without symbolic links; `nil` if it cannot be told.
    fileprivate var resolvedPathOrNil: String? { try? resolvedPath() }
}

/// Reads the samples of contents, decoding several pictures at a time.
private final class SampleReader {
    private let contents: [DuplicateContent]
    private let stores: [any Store]
    private let recoder: PictureRecoder
    private let token: CancellationToken
    private(set) var count = 0
    /// The contents whose picture cannot be read.
    private(set) var unreadable: Set<Int> = []

    init(
        _ contents: [DuplicateContent], _ stores: [any Store], _ options: DuplicateOptions, token: CancellationToken
    ) {
        (self.contents, self.stores, self.token) = (contents, stores, token)
        recoder = PictureRecoder(samplingIn: options.isolation, memory: options.memory, token: token)
    }

    /// Calls `body` with the sample of each of these contents that can be read.
    func forEach(_ numbers: [Int], _ body: (Int, PictureSample) -> Void) throws(MirrorError) {
        var waiting: [(number: Int, sample: PictureRecoder.Pending)] = []
        var rest = numbers[...]
        while !token.isCancelled, !waiting.isEmpty || !rest.isEmpty {
            while waiting.count <= recoder.width, let number = rest.popFirst() {
                let content = contents[number]
                let (store, file) = (stores[content.mirror], content.picture)
                waiting.append(
                    (number, recoder.start { () throws(FileError) in try store.openComplete(file) }))
            }
            let (number, pending) = waiting.removeFirst()
            do throws(Failure) {
                let picture = try pending.picture()
                let aspect = Double(picture.info.uprightWidth) / Double(max(picture.info.uprightHeight, 1))
                if let sample = PictureSample(luma: picture.sample, aspect: aspect) { body(number, sample) }
                count += 1
            } catch {
                if error.scope == .run, let hint = error.hint {
                    throw MirrorError(.local, "cannot compare photos: \(error.detail)", hint: hint)
                }
                unreadable.insert(number)
            }
        }
        for (_, pending) in waiting { _ = try? pending.picture() }
    }
}
