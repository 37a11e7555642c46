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
    name: "ProductKit",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ProductKit", targets: ["ProductKit"])
    ],
    targets: [
        .target(
            name: "ProductKit",
            swiftSettings: features
        ),
        .testTarget(
            name: "ProductKitTests",
            dependencies: ["ProductKit"],
            swiftSettings: features
        ),
    ],
    swiftLanguageModes: [.v6]
)
