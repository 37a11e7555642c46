// swift-tools-version: 6.2
import PackageDescription

// Programs of strangers, without the upcoming features that the library is written with: one in
// Swift 5 mode and one in Swift 6 mode, which share their source through a link, and the SwiftUI
// screens of the documentation.
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
            name: "Screens",
            dependencies: ["ProductKit"],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)

#if os(Linux)
// Linux has no SwiftUI: declarations alone, as far as the screens need them.
package.targets.append(.target(name: "SwiftUI"))
for target in package.targets where target.name == "Screens" {
    target.dependencies.append("SwiftUI")
}
#endif
