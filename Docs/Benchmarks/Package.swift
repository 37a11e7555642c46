// swift-tools-version: 6.2
import PackageDescription

let features: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "Benchmarks",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Benchmarking", targets: ["Benchmarking"]),
        .library(name: "Loads", targets: ["Loads"]),
        .executable(name: "benchmarks", targets: ["Benchmarks"]),
    ],
    dependencies: [.package(name: "ProductKit", path: "../..")],
    targets: [
        .target(name: "CCounters"),
        .target(name: "Benchmarking", dependencies: ["CCounters"], swiftSettings: features),
        .target(
            name: "Loads",
            dependencies: ["Benchmarking", "CCounters", "ProductKit"],
            swiftSettings: features
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["Benchmarking", "Loads", "ProductKit"],
            swiftSettings: features
        ),
    ],
    swiftLanguageModes: [.v6]
)
