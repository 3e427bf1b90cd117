// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceDatasets
internal import SluiceEngine
internal import SluiceModel

/// The arguments with which `mirror` updates a mirror.
struct UpdateArguments {
    /// Whether to estimate what the run takes first.
    var forecasts = false
    /// Whether to remove photos that are no longer in the feed.
    var prunes = false
    /// The largest share of photos to remove, in percent.
    var pruneLimit = PruneOptions().limit
    /// The changes of a lock's photos that do not affect the exit code.
    var acceptedStates: Set<LockedState> = []
}

/// The arguments of `verify`.
struct VerifyArguments {
    /// Whether to decode every picture.
    var isDeep = false
    /// Whether to repair the faults that it finds.
    var repairs = false
}

/// The arguments of `duplicates`.
struct DuplicatesArguments {
    /// The number of bits in which the hashes of similar photos may differ.
    var distance = DuplicateOptions.maxDistance
    /// Whether the best photo of each group is kept, and the others are dropped.
    var keepsBest = false
    /// The mirror whose photos are preferred and never changed.
    var reference: String?
    /// The file with pairs that are no copies.
    var ignored: String?
    /// The folder that receives the copies.
    var target: String?
    /// Whether to store identical files only once.
    var merges = false
    /// The file for a page of the groups.
    var page: String?
    /// The positions of the photos to drop, which the page lists.
    var dropped: Set<Int>?

    /// Whether the command decides which photos to drop.
    var decides: Bool { keepsBest || reference != nil || dropped != nil }
}

/// The photo of each group that `duplicates` keeps.
enum KeptCopy: String, CaseIterable {
    case best
}

extension Flag {
    /// Options for keeping an existing mirror up to date.
    static let maintenance: [Flag] = [
        Flag(
            "retry", .value("CAUSES", \.mirror.retriedCauses) { try $0.causes() }, [.mirror], isRecorded: false,
            "Retry only these causes, e.g. dns,timeout,http-5xx",
            """
            Processes only the photos that ended with one of these causes. The feed is not read; the URLs come from \
            the ledger. `sluice explain DIR` lists the causes. http-4xx stands for all causes of that kind, and \
            deferred for photos that no run has started. Without this option a run reads the feed and retries every \
            listed photo that is not done, even after a permanent failure.
            """),
        Flag(
            "retry-quarantined", .on(\.mirror.retriesQuarantined), [.mirror, .thumbs, .adopt], isRecorded: false,
            "Retry photos that crashed the decoder twice",
            """
            Decodes photos again that crashed the decoder twice. By default they keep the cause quarantined: their \
            originals stay, and no run decodes them. Killing a run never has this effect. --retry=quarantined \
            processes only these photos.
            """),
        Flag(
            "wait", .time(\.mirror.lockTimeout, canBeZero: true), thumbnailCommands, isRecorded: false, default: "0",
            "Wait for another run of the mirror",
            """
            Waits this long while another run uses the mirror, and then exits with 6. By default a command exits at \
            once. Times accept ms, s, m and h; a plain number means seconds.
            """),
        Flag(
            "prune", .on(\.update.prunes), [.mirror, .recheck], isRecorded: false, essential: [.recheck],
            "Remove photos that left the feed or may not be kept",
            """
            Removes the photos, with their files, that earlier runs of this SOURCE listed and this run did not. This \
            requires the whole feed, so it cannot be combined with options that select a part of it. If --prune-limit \
            allows fewer removals, nothing is removed and the exit code is 8. With --dry-run Sluice reads the feed, \
            prints the manifest lines of the photos to remove, and changes nothing. `recheck --prune` removes the \
            photos that are gone, opted-out or reserved.
            """),
        Flag(
            "prune-limit", .value("N%", \.update.pruneLimit) { try $0.percentage() }, [.mirror, .recheck],
            isRecorded: false, default: "\(Int(PruneOptions().limit))%", "Most photos --prune may remove",
            """
            Refuses to remove more than this share of the photos in one run: a broken feed may list only a few of \
            them. 100% allows any number.
            """),
        Flag(
            "accept", .value("STATES", \.update.acceptedStates) { try $0.lockedStates() }, [.mirror], isRecorded: false,
            "Accepted changes of a lock's photos, e.g. re-encoded",
            """
            When SOURCE is a lock (see `sluice lock`), photos in these states do not affect the exit code. A \
            comma-separated list of \(LockComparison.changes.map(\.rawValue).joined(separator: ", ")).
            """),
        Flag(
            "reply", .file(\.savedReply), [.feeds], settableFrom: .argumentsOnly,
            "With check: show what the recipe makes of a saved reply",
            """
            With `sluice feeds check RECIPE`, reads a reply that you saved, for example with curl, and prints what the \
            recipe makes of it: the photos, the facts that they have and lack, and the next page. Nothing is \
            requested. RECIPE may name a listing after a colon (museum.json:search), or be a built-in service. The \
            file has the reply's body, or an object with body, status and headers.
            """),
        Flag(
            "sample", .value("N%", \.sampleShare) { try $0.percentage() }, [.drift, .recheck, .verify],
            isRecorded: false, essential: [.drift, .recheck, .verify],
            "Check this share of the photos (verify 1%, else 100%)",
            """
            drift and recheck ask only for this share of the photos; the default is 100%. verify --deep makes the \
            thumbnails of this share again, and of \(ThumbnailSample.photosPerHost) photos of each host at least; the \
            default is 1%, and 0% compares none. Hashes of what the ledger records decide, so that the same photos are \
            checked each time.
            """),
        Flag(
            "html", .on(\.printsPage), [.drift], isRecorded: false, essential: [.drift],
            "Print a page with charts instead of lines",
            """
            Prints the result to standard output as an HTML page with charts by host and by time since the download. \
            The page needs no other files.
            """),
        Flag(
            "skip-deleted", aliases: ["leave-deleted"], .on(\.mirror.skipsDeleted), [.mirror], others: .anyone,
            "Skip photos whose files you deleted",
            """
            Treats a missing original of a finished photo as deleted on purpose: the photo is skipped from then on, \
            and its thumbnails are removed. Without this option missing files are downloaded again, including those of \
            photos that an earlier run skipped this way.
            """),
        Flag(
            "deep", .on(\.verify.isDeep), [.verify], isRecorded: false, essential: [.verify], "Decode every picture",
            """
            Decodes every unchanged picture completely, with all its scans. This finds damage that existed before the \
            picture was stored. Also makes the thumbnails of a sample of the photos again and compares them with the \
            stored ones. Pictures that --salvage kept as damaged are reported only if their end is missing.
            """),
        Flag(
            "repair", .on(\.verify.repairs), [.verify], isRecorded: false, essential: [.verify],
            "Download or recreate broken files",
            """
            Processes the items whose files are missing, changed, damaged or unreadable, and no others. Originals are \
            downloaded again; thumbnails are recreated from their originals. A file that a user changed is replaced \
            too, once the new one is complete.
            """),
        Flag(
            "distance", .count(\.duplicates.distance, from: 0, to: DuplicateOptions.maxDistance), [.duplicates],
            isRecorded: false, others: .anyone, "Differing hash bits, 0 to \(DuplicateOptions.maxDistance)",
            """
            Compares the pixels of photos whose perceptual hashes differ in at most N of 64 bits, also if one of them \
            is turned or mirrored. Lower values compare fewer photos and miss some copies. The default and maximum is \
            \(DuplicatesArguments().distance).
            """),
        Flag(
            "keep",
            .value(.choice(of: KeptCopy.self), \.duplicates.keepsBest) { try $0.choice(of: KeptCopy.self) == .best },
            [.duplicates], isRecorded: false, "Decide which photo of each group to keep",
            """
            With best, the photo of each group stays that is nearest to the original: it has the most detail, and is not \
            scaled up, blurred, sharpened, marked or recompressed. Each line has the reason.
            """),
        Flag(
            "reference", .text(ValuePlaceholder("DIR", .file), \.duplicates.reference, "a folder"), [.duplicates],
            settableFrom: .argumentsOnly, "Drop photos that this other mirror has, too",
            """
            Also compares with the photos of the mirror in DIR, which are always kept. Nothing in DIR is changed. \
            Without --keep, only copies of its photos are dropped.
            """),
        Flag(
            "ignore", .file(\.duplicates.ignored), [.duplicates], settableFrom: .argumentsOnly,
            "Ignore the pairs of photos in this file",
            """
            Reads pairs of photos that look alike but are no copies. Each line has the SHA-256 of both files, \
            separated by a blank; text after # is a comment. --json prints the SHA-256 of each photo.
            """),
        Flag(
            "move", .text(ValuePlaceholder("FOLDER", .file), \.duplicates.target, "a folder"), [.duplicates],
            settableFrom: .argumentsOnly, "Move dropped photos to this folder",
            """
            Moves the originals of the photos to drop to FOLDER, as NUMBER-NAME, and removes their thumbnails. The \
            ledger keeps these photos as skipped (duplicate): later runs do not download them. To get them back, use \
            `sluice mirror SOURCE --retry duplicate`. Needs --keep, --reference or --drop.
            """),
        Flag(
            "choose", .file(\.duplicates.page), [.duplicates], settableFrom: .argumentsOnly,
            "Write a page on which you choose the photos to keep",
            """
            Writes a page that shows the photos of each group next to each other. It opens from disk, without a \
            server, and makes the command with --drop and --move for your choice. It refers to the mirror's \
            thumbnails, so move both together.
            """),
        Flag(
            "drop", .value("NUMBERS", \.duplicates.dropped) { try $0.photoNumbers() }, [.duplicates],
            settableFrom: .argumentsOnly, "Drop these photos of the groups, e.g. 12,40",
            """
            Drops the photos with these numbers and keeps all others; --choose makes the list. A number that is not in \
            a group, or a group of which no photo would stay, ends the command with exit code 2.
            """),
        Flag(
            "merge", aliases: ["link"], .on(\.duplicates.merges), [.duplicates], isRecorded: false,
            "Store identical files only once",
            """
            Lets originals with identical bytes share storage, after a complete comparison. On Btrfs and XFS the files \
            share their blocks and stay separate files. Elsewhere they become hard links to one file, and a program \
            that writes into one changes the others.
            """),
    ]
}

extension Argument {
    /// Parses the changes of photos that are accepted: `re-encoded,replaced`.
    fileprivate func lockedStates() throws(InvalidValue) -> Set<LockedState> {
        Set(
            try parts.map { (part) throws(InvalidValue) in
                if let state = LockComparison.changes.first(where: { $0.rawValue == part }) { return state }
                let names = LockComparison.changes.map(\.rawValue).joined(separator: ", ")
                throw InvalidValue("a comma-separated list of \(names)")
            })
    }

    /// Parses numbers of photos: `12,40`.
    fileprivate func photoNumbers() throws(InvalidValue) -> Set<Int> {
        var numbers: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = Int(part), number > 0, part.utf8.allSatisfy(\.isDigit) else {
                throw InvalidValue("numbers of photos, e.g. 12,40")
            }
            numbers.insert(number)
        }
        return numbers
    }
}
