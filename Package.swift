// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// The settings of every Swift target.
///
/// `SLUICE_STRICT=1` (as in `Scripts/test`) turns warnings into errors. It is off by default, because newer compilers
/// may add warnings and must still build the package.
let settings: [SwiftSetting] =
    [
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (Context.environment["SLUICE_STRICT"] == "1" ? [.treatAllWarnings(as: .error)] : [])

/// Additional settings of the modules that compute most, in debug builds.
///
/// `FAST_TESTS=1` (as in `Scripts/test`) optimises them and keeps their checks and assertions: every test that mirrors
/// the demo renders, decodes and scales photos, and parses and writes JSON. Optimising the other modules takes longer
/// than it saves. It is off by default, because a package with unsafe flags cannot be a dependency. The name has no
/// `SLUICE_` prefix, because the command reads such variables as its options and rejects unknown ones.
let fastSettings: [SwiftSetting] =
    Context.environment["FAST_TESTS"] == "1"
    ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : []

/// The same for C.
let fastCSettings: [CSetting] =
    Context.environment["FAST_TESTS"] == "1" ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : []

/// Checks the sizes of copies in our C, where the compiler knows them.
let checkedCopies: [CSetting] = [.define("_FORTIFY_SOURCE", to: "3", .when(configuration: .release))]

/// A C library of the distribution, found through pkg-config.
///
/// libavif's file for pkg-config contains a flag that Swift rejects; its module map names the library.
func library(_ name: String, pkgConfig: String? = nil, apt: String, brew: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

/// A module; `ArchitectureTests` checks that its files import only its dependencies.
func module(
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [], more: [SwiftSetting] = []
) -> Target {
    .target(
        name: name, dependencies: ["SluiceSystem"] + dependencies, resources: resources, swiftSettings: settings + more)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude, swiftSettings: settings)
}

/// The executable that `Benchmarks/micro` runs.
///
/// It is a target only if `SLUICE_MICRO=1` is set, so that other builds do not compile it. It belongs to this package
/// because it measures internal declarations and shares the command's build products.
let micro: [Target] =
    Context.environment["SLUICE_MICRO"] == "1"
    ? [
        .executableTarget(
            name: "micro",
            dependencies: [
                "CSluice", "SluiceBench", "SluiceFeeds", "SluiceFiles", "SluiceGallery", "SluiceImaging",
                "SluiceLedger",
                "SluiceDemo", "SluiceModel", "SluiceOrigin", "SluiceParquet", "SluiceStore", "SluiceTransfer",
            ], path: "Benchmarks/Micro/Sluice")
    ] : []

/// The executable that `Scripts/fuzz` runs, if `SLUICE_FUZZ=1` is set.
///
/// It belongs to this package because it tests internal declarations, and all code that it calls must be built with
/// sanitizers.
let fuzz: [Target] =
    Context.environment["SLUICE_FUZZ"] == "1"
    ? [
        .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/Sources/CFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CFuzzer", "SluiceCluster", "SluiceEngine", "SluiceFeeds", "SluiceFiles", "SluiceImaging",
                "SluiceLedger", "SluiceModel", "SluiceParquet", "SluiceStore", "SluiceTransfer",
            ], path: "Tests/Fuzz/Sources/Fuzz"),
    ] : []

let package = Package(
    name: "Sluice",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "sluice", targets: ["SluiceCLI"]),
        .library(name: "Sluice", targets: ["Sluice", "SluiceCluster", "SluiceDatasets"]),
        .library(name: "SluiceImaging", targets: ["SluiceImaging"]),
        .library(name: "SluiceTransfer", targets: ["SluiceModel", "SluiceTransfer"]),
    ],
    targets: [
        // The C libraries
        library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
        library("CJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
        library("CPNG", pkgConfig: "libpng", apt: "libpng-dev", brew: "libpng"),
        library("CWebP", pkgConfig: "libwebpmux", apt: "libwebp-dev", brew: "webp"),
        library("CAVIF", apt: "libavif-dev", brew: "libavif"),
        library("CTIFF", pkgConfig: "libtiff-4", apt: "libtiff-dev", brew: "libtiff"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
        library("CLCMS", pkgConfig: "lcms2", apt: "liblcms2-dev", brew: "little-cms2"),
        library("CMicrohttpd", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev", brew: "libmicrohttpd"),
        library("CXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev", brew: "libxml2"),
        library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
        library("CBrotli", pkgConfig: "libbrotlidec", apt: "libbrotli-dev", brew: "brotli"),
        library("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev", brew: "zstd"),
        library("CCrypto", pkgConfig: "libssl", apt: "libssl-dev", brew: "openssl@3"),
        library("CPSL", pkgConfig: "libpsl", apt: "libpsl-dev", brew: "libpsl"),
        .systemLibrary(name: "CLinux", path: "Sources/CLinux"),
        .target(
            name: "CSluice", dependencies: ["CJPEG", "CPNG", "CTIFF", "CZlib"],
            cSettings: fastCSettings + checkedCopies),
        .target(name: "CSandbox", cSettings: checkedCopies),
        .target(
            name: "CLibraries",
            dependencies: ["CAVIF", "CBrotli", "CCrypto", "CCurl", "CMicrohttpd", "CPSL", "CTIFF", "CXML2"],
            cSettings: fastCSettings + checkedCopies),

        // The modules, dependencies first
        .target(name: "SluiceSystem", swiftSettings: settings),
        module("SluiceModel", [], more: fastSettings),
        module("SluiceFiles", ["SluiceModel", "CLinux", "CZlib", "CZstd"], more: fastSettings),
        module("SluiceParquet", ["SluiceModel", "SluiceFiles", "CLibraries", "CBrotli", "CZlib", "CZstd"]),
        module("SluiceCookies", ["SluiceModel", "SluiceFiles", "CLibraries", "CCrypto", "CPSL", "CSQLite"]),
        module(
            "SluiceTransfer",
            ["SluiceModel", "SluiceFiles", "SluiceCookies", "CLibraries", "CLinux", "CCurl", "CCrypto"]),
        module(
            "SluiceBrowser", ["SluiceModel", "SluiceFiles", "SluiceCookies", "SluiceTransfer", "CSandbox"],
            resources: [.embedInCode("PageReader.js")]),
        module(
            "SluiceFeeds",
            [
                "SluiceModel", "SluiceFiles", "SluiceParquet", "SluiceTransfer", "SluiceBrowser", "CLibraries", "CXML2",
                "CZlib", "CZstd",
            ],
            resources: [
                "demo", "unsplash", "picsum", "commons", "met", "artic", "nasa", "pexels",
                "pixabay", "stocksnap", "openverse", "flickr", "archive", "loc", "wordpress", "mastodon", "pixelfed",
                "bluesky", "inaturalist", "gbif", "europeana", "smithsonian", "cleveland",
                "harvard", "museumsvictoria", "rijksmuseum", "vam", "dpla", "wellcome", "huggingface",
                "mediawiki", "catalog",
            ].map { .embedInCode("Recipes/Services/\($0).json") }),
        module(
            "SluiceImaging", ["CSluice", "CLibraries", "CJPEG", "CPNG", "CWebP", "CAVIF", "CLCMS", "CZlib"],
            more: fastSettings),
        module("SluiceStore", ["SluiceModel", "SluiceFiles", "SluiceTransfer", "CCrypto"]),
        module("SluiceLedger", ["SluiceModel", "SluiceFiles", "SluiceParquet", "SluiceStore", "CSQLite"]),
        module("SluiceGallery", ["SluiceModel", "SluiceFiles", "SluiceStore"], resources: [.embedInCode("Assets")]),
        module(
            "SluiceOrigin", ["SluiceFiles", "SluiceModel", "CLibraries", "CMicrohttpd", "CZlib"], more: fastSettings),
        module("SluiceDemo", ["SluiceModel", "SluiceOrigin"], more: fastSettings),
        module(
            "SluiceEngine",
            [
                "SluiceModel", "SluiceFiles", "SluiceCookies", "SluiceTransfer", "SluiceBrowser", "SluiceStore",
                "SluiceFeeds", "SluiceImaging",
                "SluiceLedger", "SluiceGallery", "SluiceOrigin", "SluiceDemo", "CLibraries", "CLinux", "CSandbox",
            ]),
        module(
            "Sluice",
            [
                "SluiceEngine", "SluiceModel", "SluiceFiles", "SluiceTransfer", "SluiceBrowser", "SluiceStore",
                "SluiceFeeds",
                "SluiceImaging", "SluiceLedger", "SluiceGallery", "SluiceOrigin", "CLinux",
            ]),
        module(
            "SluiceCluster",
            [
                "SluiceEngine", "SluiceModel", "SluiceFiles", "SluiceCookies", "SluiceTransfer", "SluiceStore",
                "SluiceFeeds",
                "SluiceLedger",
            ]),
        module(
            "SluiceDatasets",
            [
                "SluiceEngine", "SluiceModel", "SluiceFiles", "SluiceParquet", "SluiceTransfer", "SluiceStore",
                "SluiceFeeds", "SluiceImaging", "SluiceLedger", "SluiceGallery",
            ]),
        module(
            "SluiceBench",
            ["SluiceModel", "SluiceFiles", "SluiceTransfer", "SluiceImaging", "SluiceOrigin", "SluiceDemo"]),
        .executableTarget(
            name: "SluiceCLI",
            dependencies: [
                "Sluice", "SluiceCluster", "SluiceDatasets", "SluiceBench", "SluiceEngine", "SluiceFeeds",
                "SluiceImaging", "SluiceModel", "SluiceSystem",
            ],
            swiftSettings: settings),

        // The tests
        .target(
            name: "TestSupport", dependencies: ["SluiceModel", "SluiceOrigin"], path: "Tests/TestSupport",
            swiftSettings: settings),
        // libwebp's demuxer, with which tests compare Sluice's check of WebP containers.
        .systemLibrary(
            name: "CWebPDemux", path: "Tests/CWebPDemux", pkgConfig: "libwebpdemux",
            providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
        tests("SluiceModelTests", ["SluiceModel"]),
        tests("SluiceFilesTests", ["SluiceFiles"]),
        tests("SluiceParquetTests", ["SluiceParquet", "SluiceFiles"]),
        tests("SluiceCookiesTests", ["SluiceCookies", "CSQLite"]),
        tests(
            "SluiceTransferTests", ["SluiceTransfer", "SluiceCookies", "SluiceOrigin", "SluiceFiles", "SluiceModel"]),
        tests(
            "SluiceBrowserTests",
            ["SluiceBrowser", "SluiceTransfer", "SluiceCookies", "SluiceOrigin", "SluiceFiles", "SluiceModel"]),
        tests(
            "SluiceFeedsTests",
            ["SluiceFeeds", "SluiceParquet", "SluiceTransfer", "SluiceOrigin", "SluiceFiles", "SluiceModel"]),
        tests(
            "SluiceImagingTests", ["SluiceImaging", "CSluice", "CLCMS", "CJPEG", "CWebPDemux"],
            exclude: ["Fixtures/Goldens", "Fixtures/Foreign"]),
        tests("SluiceStoreTests", ["SluiceStore", "SluiceTransfer", "SluiceFiles", "SluiceModel"]),
        tests("SluiceLedgerTests", ["SluiceLedger", "SluiceStore", "SluiceFiles", "SluiceModel"]),
        tests("SluiceGalleryTests", ["SluiceGallery", "SluiceStore", "SluiceFiles", "SluiceModel"]),
        tests("SluiceOriginTests", ["SluiceOrigin", "SluiceDemo", "SluiceFiles", "SluiceModel"]),
        tests(
            "SluiceEngineTests",
            [
                "SluiceEngine", "SluiceFeeds", "SluiceFiles", "SluiceImaging", "SluiceLedger", "SluiceModel",
                "SluiceStore", "SluiceTransfer",
            ]),
        tests(
            "SluiceTests",
            [
                "Sluice", "SluiceCluster", "SluiceEngine", "SluiceFeeds", "SluiceFiles", "SluiceImaging",
                "SluiceLedger", "SluiceModel", "SluiceOrigin", "SluiceStore", "SluiceTransfer",
            ]),
        tests(
            "SluiceClusterTests",
            [
                "SluiceCluster", "Sluice", "SluiceEngine", "SluiceFiles", "SluiceImaging", "SluiceLedger",
                "SluiceModel", "SluiceStore", "SluiceTransfer",
            ]),
        tests(
            "SluiceDatasetsTests",
            [
                "SluiceDatasets", "Sluice", "SluiceEngine", "SluiceFiles", "SluiceImaging", "SluiceLedger",
                "SluiceModel", "SluiceStore",
            ]),
        tests("SluiceBenchTests", ["SluiceBench", "SluiceCLI", "SluiceImaging", "SluiceModel"]),
        tests(
            "SluiceCLITests",
            [
                "SluiceCLI", "Sluice", "SluiceCluster", "SluiceDatasets", "SluiceBench", "SluiceEngine",
                "SluiceFeeds", "SluiceImaging", "SluiceLedger", "SluiceModel",
            ]),
        tests(
            "EndToEnd",
            [
                "SluiceCLI", "Sluice", "SluiceEngine", "SluiceImaging", "SluiceLedger", "SluiceModel", "SluiceOrigin",
                "SluiceStore", "SluiceTransfer",
            ],
            exclude: [
                "Decoding/bad_codec.c", "RunGoldens/Expected", "Transcripts", "Upgrade/Archives", "Upgrade/make",
                "lacking_system.c",
            ]),
        tests("ArchitectureTests", []),
    ] + micro + fuzz,
    swiftLanguageModes: [.v6]
)
