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
        let reader = SampleReader(
            stores, PictureRecoder(samplingIn: options.isolation, memory: options.memory, token: token), token: token)
        let measuring = SampleReader(
            stores, PictureRecoder(measuringIn: options.isolation, memory: options.memory, token: token), token: token)
        var candidates = DuplicateCandidates()
        candidates.add(
            contents.enumerated().compactMap { number, content in content.phash.map { (number, $0) } },
            distance: options.distance, isReference: { contents[$0].isReference })
        var stars: [Int: [Copy]] = [:]
        var members: Set<Int> = []
        for pairs in candidates.parts(of: contents.count) where !token.isCancelled {
            let found = try copies(of: pairs, contents, reader)
            progress(reader.count)
            for (best, copies) in Self.stars(found, try measured(contents, found, measuring)) {
                stars[best] = copies
                members.formUnion(copies.map(\.content))
            }
        }
        var report = DuplicateReport()
        for (number, content) in contents.enumerated() where !members.contains(number) {
            let copies = stars[number] ?? []
            let group = Self.group(content, copies.map { (contents[$0.content], $0) })
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
    private struct Copy {
        let content: Int
        let isTurned: Bool
        /// Why the best one of the group is better.
        var reason = "listed first"
    }

    /// Compares the pixels of pairs.
    ///
    /// - Returns: the copies of each content that has some.
    private func copies(
        of pairs: [DuplicateCandidates.Pair], _ contents: [DuplicateContent], _ reader: SampleReader
    ) throws(MirrorError) -> [Int: [Copy]] {
        let wanted = pairs.filter { !options.ignored.contains(contents[$0.first].sha256, contents[$0.second].sha256) }
        var pictures: [Int: ComparedPicture] = [:]
        let numbers = Set<Int>(wanted.flatMap { [$0.first, $0.second] }).sorted()
        try reader.forEach(numbers.map { ($0, contents[$0].mirror, contents[$0].picture) }) { number, picture in
            let aspect = Double(picture.info.uprightWidth) / Double(max(picture.info.uprightHeight, 1))
            if let sample = PictureSample(luma: picture.sample, aspect: aspect) {
                pictures[number] = ComparedPicture(sample)
            }
        }
        var copies: [Int: [Copy]] = [:]
        for pair in wanted where !token.isCancelled {
            guard let first = pictures[pair.first], let second = pictures[pair.second],
                let symmetry = second.symmetry(as: first)
            else { continue }
            copies[pair.first, default: []].append(Copy(content: pair.second, isTurned: symmetry != Symmetry()))
            copies[pair.second, default: []].append(Copy(content: pair.first, isTurned: symmetry != Symmetry()))
        }
        return copies
    }

    /// Returns the contents with what the originals of copies tell; those that cannot be read have only their facts.
    private func measured(
        _ contents: [DuplicateContent], _ copies: [Int: [Copy]], _ reader: SampleReader
    ) throws(MirrorError) -> [Int: DuplicateContent] {
        var measured: [Int: DuplicateContent] = [:]
        for number in copies.keys { measured[number] = contents[number] }
        let files = copies.keys.sorted().map { ($0, contents[$0].mirror, contents[$0].original) }
        try reader.forEach(files) { number, picture in
            guard let traits = PictureTraits(picture.sample) else { return }
            let content = contents[number]
            measured[number]?.compared = CopyComparison.Picture(
                width: picture.width, height: picture.height, traits: traits, table: picture.luminanceTable,
                isLossless: content.isLossless, hasEXIF: content.hasEXIF)
        }
        return measured
    }

    /// Makes the groups: first those of the contents that are worse than the fewest of their copies.
    private static func stars(
        _ copies: [Int: [Copy]], _ contents: [Int: DuplicateContent]
    ) -> [(best: Int, copies: [Copy])] {
        func advantage(of first: Int, over second: Int) -> String? {
            contents[second].flatMap { contents[first]?.advantage(over: $0) }
        }
        var losses: [Int: Int] = [:]
        for (number, copies) in copies {
            losses[number] = copies.count { advantage(of: $0.content, over: number) != nil }
        }
        let order = copies.keys.sorted { (losses[$0] ?? 0, $0) < (losses[$1] ?? 0, $1) }
        var taken: Set<Int> = []
        var stars: [(best: Int, copies: [Copy])] = []
        for best in order where taken.insert(best).inserted {
            var own = (copies[best] ?? []).filter { taken.insert($0.content).inserted }
            for index in own.indices {
                own[index].reason = advantage(of: best, over: own[index].content) ?? own[index].reason
            }
            if !own.isEmpty { stars.append((best, own)) }
        }
        return stars
    }

    private static func group(
        _ best: DuplicateContent, _ copies: [(content: DuplicateContent, copy: Copy)]
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
        for (content, copy) in copies {
            for photo in content.photos {
                var member = photo.member
                member.relation = copy.isTurned ? .turned : .copy
                member.reason = copy.reason
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

/// Reads pictures, decoding several at a time.
private final class SampleReader {
    private let stores: [any Store]
    private let recoder: PictureRecoder
    private let token: CancellationToken
    private(set) var count = 0
    /// The contents whose picture cannot be read.
    private(set) var unreadable: Set<Int> = []

    init(_ stores: [any Store], _ recoder: PictureRecoder, token: CancellationToken) {
        (self.stores, self.recoder, self.token) = (stores, recoder, token)
    }

    /// Calls `body` with each of these files that can be read, and the number of its content.
    func forEach(
        _ files: [(number: Int, mirror: Int, file: StoredFile)], _ body: (Int, PictureRecoder.Picture) -> Void
    ) throws(MirrorError) {
        var waiting: [(number: Int, sample: PictureRecoder.Pending)] = []
        var rest = files[...]
        while !token.isCancelled, !waiting.isEmpty || !rest.isEmpty {
            while waiting.count <= recoder.width, let (number, mirror, file) = rest.popFirst() {
                let store = stores[mirror]
                waiting.append(
                    (number, recoder.start { () throws(FileError) in try store.openComplete(file) }))
            }
            let (number, pending) = waiting.removeFirst()
            do throws(Failure) {
                body(number, try pending.picture())
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
