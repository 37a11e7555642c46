// swift-tools-version: 6.2
import PackageDescription

// Programs that use ProductKit without the upcoming features of its own manifest: one in Swift 5 mode
// and one in Swift 6 mode, which share their source through a symbolic link. It also contains a module
// whose declarations are on the main actor by default, and the SwiftUI screens of the documentation, once
// more with the settings of a new project in Xcode 26.
let package = Package(
    name: "Clients",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "ProductKit", path: "../..")],
    targets: [
        .executableTarget(
            name: "ClientInSwift5",
            dependencies: ["ProductKit"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .executableTarget(
            name: "ClientInSwift6",
            dependencies: ["ProductKit"],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .target(
            name: "ClientOnMainActor",
            dependencies: ["ProductKit"],
            swiftSettings: [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]
        ),
        .target(
            name: "Screens",
            dependencies: ["ProductKit"],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .target(
            name: "ScreensInNewProject",
            dependencies: ["ProductKit"],
            swiftSettings: [
                .swiftLanguageMode(.v5),
                .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        ),
    ]
)

#if os(Linux)
// SwiftUI does not exist on Linux. This module declares the parts that the screens use.
package.targets.append(.target(name: "SwiftUI"))
for target in package.targets where target.name.hasPrefix("Screens") {
    target.dependencies.append("SwiftUI")
}
#endif
