import ArgumentParser

/// A shop in the terminal, to see ProductKit at work over real HTTP.
@main
struct Shop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shop",
        abstract: "A shop in the terminal, to see ProductKit at work over real HTTP.",
        discussion: """
            Without a command it opens a store on this machine, walks a product screen through it, \
            and checks that screen and store agree.

            Examples:
              swift run --package-path Docs/Examples shop --currency USD
              swift run --package-path Docs/Examples shop browse --search boots
              swift run --package-path Docs/Examples shop race
              swift run --package-path Docs/Examples shop --cache ~/shop-cache

            Every other command opens the same store for as long as it runs, so what it changes is \
            gone afterwards. To keep a store open, run “shop serve” in one terminal and give the \
            others its address with --api. Any store that speaks Docs/openapi.yaml will do, and with \
            --backend one that speaks something else; see “shop help browse”.

            With --cache DIRECTORY a command keeps what the store answers: run it twice and see who \
            answers, then once more with --offline, for which no store is opened. “shop cache” shows \
            what is stored, and with --clear empties it.
            """,
        subcommands: [
            TourCommand.self, ShowCommand.self, BrowseCommand.self, FavoriteCommand.self,
            AddCommand.self, ListsCommand.self, RaceCommand.self, ServeCommand.self,
            ImportCommand.self, ExportCommand.self, CacheCommand.self,
        ],
        defaultSubcommand: TourCommand.self
    )
}
