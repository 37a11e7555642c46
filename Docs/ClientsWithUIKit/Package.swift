// swift-tools-version: 6.2
import PackageDescription

// The UIKit code of the documentation, and the parts of the library that need UIKit. The library is
// compiled again here, through a symbolic link, because its own package has no module UIKit on Linux.
let features: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "ClientsWithUIKit",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    targets: [
        .target(
            name: "ProductKit",
            swiftSettings: features + [.treatWarning("ExplicitSendable", as: .error)]
        ),
        .target(
            name: "UIKitScreens",
            dependencies: ["ProductKit"]
        ),
        .target(
            name: "UIKitScreensOnMainActor",
            dependencies: ["ProductKit"],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
    ],
    swiftLanguageModes: [.v6]
)

#if os(Linux)
// UIKit does not exist on Linux. This module declares the parts that are used, and displays nothing,
// so that tests can call them.
for target in package.targets {
    target.dependencies.append("UIKit")
}
package.targets += [
    .target(name: "UIKit"),
    .testTarget(
        name: "UIKitScreensTests",
        dependencies: ["ProductKit", "UIKit", "UIKitScreens"],
        // Swift Testing has additions for Apple's UIKit, which are not installed on Linux.
        swiftSettings: features + [
            .unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])
        ]
    ),
]
#endif
