import ProductKit
import SwiftUI

struct PendingChangesScreen: View {
    @State var screen: PendingChangesViewModel

    var body: some View {
        List {
            ForEach(screen.changes) { change in
                Button(text(of: change.edit), systemImage: "trash") {
                    Task { try? await screen.discard(changeWithID: change.id) }
                }
            }
            ForEach(screen.rejections) { rejection in
                Button(rejection.message, systemImage: "exclamationmark.triangle") {
                    Task { try? await screen.dismiss(rejectionWithID: rejection.id) }
                }
                Button("Send again", systemImage: "arrow.clockwise") {
                    Task { try? await screen.resend(rejectionWithID: rejection.id) }
                }
            }
            if let failure = screen.lastError {
                Text(failure.localizedDescription)
            }
        }
        .toolbar {
            Button("Send now") { Task { try? await screen.send() } }
                .disabled(screen.isSending || screen.changes.isEmpty)
        }
        .task { await screen.observe() }
    }

    private func text(of edit: Outbox.Edit) -> String {
        switch edit {
        case .setFavorite(let product, to: true): "Make \(product) a favorite"
        case .setFavorite(let product, to: false): "Remove \(product) from the favorites"
        case .addProduct(let product, let list): "Add \(product) to \(list)"
        case .removeProduct(let product, let list): "Remove \(product) from \(list)"
        case .createList(_, let name): "Create the list “\(name)”"
        case .renameList(_, let name): "Rename a list to “\(name)”"
        case .deleteList(let list): "Delete the list \(list)"
        }
    }
}
