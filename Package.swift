// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// What every Swift target is built with.
///
/// `SLUICE_STRICT=1` (as in CI) turns warnings into errors; a user's newer compiler may warn of things that ours does
/// not know, and must still build.
let settings: [SwiftSetting] =
    [
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (Context.environment["SLUICE_STRICT"] == "1" ? [.treatAllWarnings(as: .error)] : [])

/// What is built for rooms that compute pixels, too, in debug builds.
///
/// `FAST_PIXELS=1` (as in CI) optimises them and keeps their checks and assertions: every test that mirrors the demo
/// paints, decodes and scales photos, and without it half of all tests' time is that. Flags of this kind bar a package from
/// being a dependency, so that they are not there unless they are asked for. The name does not begin as the variables do that
/// set the command's own options, which would refuse it.
let pixelSettings: [SwiftSetting] =
    Context.environment["FAST_PIXELS"] == "1"
    ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : []

/// A C library of the distribution's, found through pkg-config.
func library(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

/// One room of the house; its dependencies are its only arrows, and `ArchitectureTests` holds every import to them.
func room(
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [], more: [SwiftSetting] = []
) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings + more)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude, swiftSettings: settings)
}

/// What `Benchmarks/micro` runs.
///
/// Only it asks for this, so that whoever builds Sluice builds none of it; a target of this
/// package all the same, because it measures what the rooms keep to themselves, and shares all that was built for the command.
let micro: [Target] =
    Context.environment["SLUICE_MICRO"] == "1"
    ? [
        .executableTarget(
            name: "micro",
            dependencies: [
                "CSluice", "SluiceBench", "SluiceFeeds", "SluiceFiles", "SluiceGallery", "SluiceImaging",
                "SluiceLedger",
                "SluiceModel", "SluiceOrigin", "SluiceTransfer",
            ], path: "Benchmarks/Micro/Sluice")
    ] : []

let package = Package(
    name: "Sluice",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "sluice", targets: ["SluiceCLI"]),
        .library(name: "Sluice", targets: ["Sluice"]),
        .library(name: "SluiceImaging", targets: ["SluiceImaging"]),
        .library(name: "SluiceTransfer", targets: ["SluiceModel", "SluiceTransfer"]),
    ],
    targets: [
        // The C libraries
        library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
        library("CJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
        library("CPNG", pkgConfig: "libpng", apt: "libpng-dev", brew: "libpng"),
        library("CWebP", pkgConfig: "libwebpmux", apt: "libwebp-dev", brew: "webp"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
        library("CLCMS", pkgConfig: "lcms2", apt: "liblcms2-dev", brew: "little-cms2"),
        library("CMicrohttpd", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev", brew: "libmicrohttpd"),
        library("CXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev", brew: "libxml2"),
        library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
        library("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev", brew: "zstd"),
        library("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
        .systemLibrary(name: "CLinux", path: "Sources/CLinux"),
        .target(name: "CSluice", dependencies: ["CJPEG", "CPNG"]),
        .target(name: "CSandbox"),

        // The rooms, from the ground up
        room("SluiceModel", []),
        room("SluiceFiles", ["CLinux"]),
        room("SluiceTransfer", ["SluiceModel", "SluiceFiles", "CCurl", "CCrypto"]),
        room(
            "SluiceFeeds", ["SluiceModel", "SluiceFiles", "SluiceTransfer", "CXML2", "CZlib", "CZstd"],
            resources: [
                "demo", "unsplash", "picsum", "commons", "met", "artic", "nasa", "pexels",
                "pixabay", "openverse", "flickr", "archive", "loc", "catalog",
            ].map { .embedInCode("Recipes/Services/\($0).json") }),
        room("SluiceImaging", ["CSluice", "CJPEG", "CPNG", "CWebP", "CLCMS"], more: pixelSettings),
        room("SluiceLedger", ["SluiceModel", "SluiceFiles", "CSQLite"]),
        room("SluiceGallery", ["SluiceModel", "SluiceFiles"], resources: [.embedInCode("Assets")]),
        room("SluiceOrigin", ["SluiceModel", "CMicrohttpd", "CZlib"], more: pixelSettings),
        room(
            "Sluice",
            [
                "SluiceModel", "SluiceFiles", "SluiceTransfer", "SluiceFeeds", "SluiceImaging", "SluiceLedger",
                "SluiceGallery", "SluiceOrigin", "CLinux", "CSandbox",
            ]),
        room("SluiceBench", ["SluiceModel", "SluiceFiles", "SluiceTransfer", "SluiceImaging", "SluiceOrigin"]),
        .executableTarget(name: "SluiceCLI", dependencies: ["Sluice", "SluiceBench"], swiftSettings: settings),

        // The tests
        .target(
            name: "TestSupport", dependencies: ["SluiceModel"], path: "Tests/TestSupport", swiftSettings: settings),
        tests("SluiceModelTests", ["SluiceModel"]),
        tests("SluiceFilesTests", ["SluiceFiles"]),
        tests("SluiceTransferTests", ["SluiceTransfer", "SluiceOrigin", "SluiceFiles", "SluiceModel"]),
        tests("SluiceFeedsTests", ["SluiceFeeds", "SluiceTransfer", "SluiceOrigin", "SluiceModel"]),
        tests("SluiceImagingTests", ["SluiceImaging", "CLCMS", "CJPEG"], exclude: ["Fixtures/Goldens"]),
        tests("SluiceLedgerTests", ["SluiceLedger", "SluiceFiles", "SluiceModel"]),
        tests("SluiceGalleryTests", ["SluiceGallery", "SluiceFiles", "SluiceModel"]),
        tests("SluiceOriginTests", ["SluiceOrigin", "SluiceModel"]),
        tests(
            "SluiceTests",
            [
                "Sluice", "SluiceFiles", "SluiceImaging", "SluiceLedger", "SluiceModel", "SluiceOrigin",
                "SluiceTransfer",
            ]),
        tests("SluiceBenchTests", ["SluiceBench", "SluiceCLI", "SluiceImaging", "SluiceModel"]),
        tests("SluiceCLITests", ["SluiceCLI", "Sluice", "SluiceBench", "SluiceModel"]),
        tests(
            "EndToEnd", ["SluiceCLI", "Sluice", "SluiceModel", "SluiceOrigin", "SluiceTransfer"],
            exclude: ["Decoding/bad_codec.c"]),
        tests("ArchitectureTests", []),
    ] + micro,
    swiftLanguageModes: [.v6]
)
