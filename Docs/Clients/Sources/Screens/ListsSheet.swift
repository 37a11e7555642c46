import ProductKit
import SwiftUI

struct ListsSheet: View {
    @State var lists: ListMembershipViewModel

    var body: some View {
        List(lists.rows) { row in
            Button(
                row.name,
                systemImage: row.holdsProduct ? "checkmark.circle.fill" : "circle"
            ) {
                Task {
                    try? await lists.toggleMembership(inListWithID: row.id)
                }
            }
        }
        .task { try? await lists.reload() }
    }
}
