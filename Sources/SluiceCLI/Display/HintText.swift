// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

extension Hint {
    /// The options that allow a refused address, for example `--allow-port 8080`.
    var permissions: [String] {
        switch self {
        case .allowPort(let port): ["--allow-port \(port)"]
        case .allowAddresses(let range): ["--allow-address \(range)"]
        case .allowAddressesAndPort(let range, let port): ["--allow-address \(range)", "--allow-port \(port)"]
        default: []
        }
    }

    /// The hint with the flags of the command, for example `choose another port with --port`.
    var text: String {
        switch self {
        case .chooseFolder: "choose another --out"
        case .shortenFolderPath: "choose a shorter --out"
        case .chooseFolderOrAllowUntrusted: "choose another --out or use --force"
        case .chooseStateFolder: "choose another folder for its ledger with --state"
        case .readAnonymously: "if the bucket is public, use --s3-anonymous"
        case .readBucket(let bucket, let endpoint):
            "to read it, run: sluice mirror s3://\(bucket) --s3-anonymous --s3-endpoint \(endpoint)"
        case .allowUnsafeCommits: "use --s3-unsafe-commits if only this run writes there"
        case .checkPermissions: "check its permissions or choose another --out"
        case .chooseMirror: "name the folder of a mirror, or make one: sluice mirror SOURCE --out DIR"
        case .chooseEmptyFolder: "name an empty folder with --out"
        case .rebuildLedger: "run `sluice gallery DIR --rebuild` to recreate it from the manifest and the files"
        case .removeUnreadableFile: "if the file stays unreadable, move it elsewhere and repeat --rebuild"
        case .forceRebuild: "use --force to rebuild it from the manifest nevertheless"
        case .chooseArchive: "name another file with --warc"
        case .nameArchive: "name the file of `sluice mirror --warc` with --warc"
        case .chooseTraceFile: "name another file with --trace"
        case .chooseMetricsFile: "name another file with --metrics"
        case .servePublicly: "allow that with --public"
        case .choosePort: "choose another port with --port"
        case .chooseHost: "name a numeric address of this machine with --host"
        case .setContact: "set --contact to your mail or web address"
        case .confirmPermission: "use --i-have-permission to lift it"
        case .raisePruneLimit: "raise it with --prune-limit"
        case .checkHostName: "check the spelling of the host name"
        case .slowDown: "try a lower --rate or --per-host"
        case .allowPort, .allowAddresses, .allowAddressesAndPort:
            "allow with \(permissions.joined(separator: " "))"
        case .trustIssuer: "trust its issuer with --ca-file"
        case .raiseMemory(let megabytes?): "use --memory \(megabytes)M"
        case .raiseMemory(nil): "use a larger --memory"
        case .salvage: "use --salvage to keep the readable part"
        case .liftQuarantine: "use --retry-quarantined to try again"
        case .decodeInProcess: "use --no-isolate to decode in the main process"
        case .acceptWeakSandbox: "use --weak-sandbox to decode without this protection"
        case .chooseAddressColumn: "choose the address column with --url-column"
        case .listSources: "write addresses or paths into a file, one on each line, and give it as --sources FILE"
        case .sendCookies: "send the cookies of your login with --cookies FILE, or --cookies-from-browser firefox"
        case .ignoreRobots: "use --no-robots if you may read it all the same"
        case .extractArchive: "extract it, and name its folder as SOURCE"
        case .useBrowser:
            "build the page in a browser with --browser, or name its RSS or Atom feed or a list of image addresses"
        case .chooseFeed:
            "name its RSS or Atom feed, or a list of image addresses, for example the output of `gallery-dl -g`"
        case .writeRecipe: "`sluice feeds` lists the services with recipes, and `sluice feeds check` helps to write one"
        case .exportThumbnails(let size): "export its thumbnails with --size \(size)"
        case .freeDiskSpace: "free disk space or choose another --out"
        case .benchmarkAddresses: "compare HTTP versions with --against"
        case .lowerPerHost: "use a lower --per-host"
        case .sendFewerRequests: "shorten the list, or use a lower --concurrency or --repeat"
        case .recodePhotos: "convert them with --recode jpeg, or export thumbnails with --size"
        case .exportResults: "write results with `sluice bench --export-json FILE`"
        }
    }
}
