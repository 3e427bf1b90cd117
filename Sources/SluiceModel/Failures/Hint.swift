// SPDX-License-Identifier: MIT

/// A suggestion for avoiding an error.
///
/// The command spells it with its flags.
public enum Hint: Sendable, Hashable, Codable {
    /// Name another output folder.
    case chooseFolder
    /// Name an output folder with a shorter path.
    case shortenFolderPath
    /// Name another output folder, or allow one that others can write to.
    case chooseFolderOrAllowUntrusted
    /// Name another folder for the ledger of an output in a bucket.
    case chooseStateFolder
    /// Read a bucket that is public without credentials.
    case readAnonymously
    /// Allow a bucket of a service that ignores conditions.
    case allowUnsafeCommits
    /// Check the permissions of the output folder, or name another one.
    case checkPermissions
    /// Name the folder of a mirror.
    case chooseMirror
    /// Name an empty output folder.
    case chooseEmptyFolder
    /// Rebuild the ledger from the manifest and the files.
    case rebuildLedger
    /// Remove a file that stays unreadable.
    case removeUnreadableFile
    /// Rebuild the ledger although it is intact.
    case forceRebuild
    /// Name another file for the trace.
    case chooseTraceFile
    /// Name another file for the WARC.
    case chooseArchive
    /// Name the WARC that runs of the mirror wrote.
    case nameArchive
    /// Name another file for the metrics.
    case chooseMetricsFile
    /// Allow connections from other machines.
    case servePublicly
    /// Choose another port for the server.
    case choosePort
    /// Name a numeric address of this machine for the server.
    case chooseHost
    /// Name a contact for the service.
    case setContact
    /// Confirm that the service permits more than its terms.
    case confirmPermission
    /// Raise the limit for pruning.
    case raisePruneLimit
    /// Check the spelling of the host's name, which does not exist.
    case checkHostName
    /// Lower the request rate or the concurrency per host.
    case slowDown
    /// Read the bucket of this name at the service with this address.
    case readBucket(String, endpoint: String)
    /// Allow this port.
    case allowPort(Int)
    /// Allow this range of special addresses.
    case allowAddresses(String)
    /// Allow this range of special addresses, and this port.
    case allowAddressesAndPort(String, Int)
    /// Trust the issuer of the host's certificate.
    case trustIssuer
    /// Set this limit on memory in megabytes; `nil` if none is large enough.
    case raiseMemory(megabytes: Int?)
    /// Keep the readable part of damaged photos.
    case salvage
    /// Lift the quarantine.
    case liftQuarantine
    /// Decode in the main process, without isolation.
    case decodeInProcess
    /// Decode in workers that lack protections.
    case acceptWeakSandbox
    /// Name the column of a list that has the addresses.
    case chooseAddressColumn
    /// Read the addresses or paths in a file as sources.
    case listSources
    /// Send the cookies of a login.
    case sendCookies
    /// Read pages that the host's `robots.txt` excludes.
    case ignoreRobots
    /// Extract an archive and name its folder.
    case extractArchive
    /// Build a page with its scripts in a browser, or name a feed or a list instead.
    case useBrowser
    /// Name a feed or a list instead of a web page.
    case chooseFeed
    /// Write a recipe for the service.
    case writeRecipe
    /// Benchmark a list of URLs, whose hosts choose the HTTP version.
    case benchmarkAddresses
    /// Lower the concurrency per host.
    case lowerPerHost
    /// Shorten the list of URLs, or measure fewer settings less often.
    case sendFewerRequests
    /// Convert the photos of an export to one format, or export thumbnails.
    case recodePhotos
    /// Write the results of a benchmark to a file.
    case exportResults
    /// Export the thumbnails of this size instead of the originals.
    case exportThumbnails(size: String)
    /// Free space on the disk, or name another output folder.
    case freeDiskSpace
}

/// The command's flags that a report or a gallery shows.
///
/// All other flags are spelled in the command only.
package enum CommandFlag: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case allowFormat = "--allow-format"
    case bandwidth = "--bandwidth"
    case concurrency = "--concurrency"
    case decodeTimeout = "--decode-timeout"
    case durability = "--durability"
    case header = "--header"
    case ignoreOptOut = "--ignore-opt-out"
    case maxBytes = "--max-bytes"
    case maxPixels = "--max-pixels"
    case memory = "--memory"
    case perHost = "--per-host"
    case perPage = "--per-page"
    case proxy = "--proxy"
    case qualityMode = "--quality-mode"
    case rate = "--rate"
    case retry = "--retry"
    case retryQuarantined = "--retry-quarantined"
    case salvage = "--salvage"
    case sizes = "--sizes"

    /// The flag with its dashes.
    package var description: String { rawValue }
}

extension Remedy {
    /// The options that apply the remedy in another run; `nil` if it needs none.
    package var options: String? {
        switch self {
        case .retry, .none: String?.none
        case .raiseSizeLimit: "\(CommandFlag.maxBytes)=1G"
        case .raisePixelLimit: "\(CommandFlag.maxPixels)=1G"
        case .raiseDecodeLimits: "\(CommandFlag.memory)=4G \(CommandFlag.decodeTimeout)=300s"
        case .salvage: CommandFlag.salvage.rawValue
        case .liftQuarantine: CommandFlag.retryQuarantined.rawValue
        }
    }
}
