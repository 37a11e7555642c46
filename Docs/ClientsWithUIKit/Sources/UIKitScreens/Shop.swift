import Foundation
import ProductKit
import UIKit

/// The backend of an app, whose requests can finish after the app has moved to the background.
func makeBackend(at api: URL) -> ProductBackend {
    ProductBackend(baseURL: api, behaviors: [BackgroundTaskBehavior()])
}
