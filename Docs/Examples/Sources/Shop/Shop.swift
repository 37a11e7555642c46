import ArgumentParser

/// A command-line client for a store, which shows ProductKit at work over real HTTP.
@main
struct Shop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shop",
        abstract:
            "A command-line client for a store, which shows ProductKit at work over real HTTP.",
        discussion: """
            Without a command, it starts a store on this machine, shows a product screen, changes \
            the product, and checks that the screen and the store agree.

            Examples:
              swift run --package-path Docs/Examples shop --currency USD
              swift run --package-path Docs/Examples shop browse --search boots
              swift run --package-path Docs/Examples shop race
              swift run --package-path Docs/Examples shop --cache ~/shop-cache

            The other commands also start the store and stop it at the end, so their changes are \
            lost. To keep a store running, use “shop serve” in one terminal, and pass its base URL \
            to the other commands with --api. You can use any server that implements \
            Docs/openapi.yaml. For other APIs, add --backend; see “shop help browse”.

            With --cache DIRECTORY, a command stores responses for the next run. Run it twice: each \
            line of output shows whether the response came from the cache or from the network. \
            With --offline, it uses only the cache and starts no store. “shop cache DIRECTORY” \
            lists the stored responses, and “shop cache DIRECTORY --clear” removes them.

            With --keep DIRECTORY, a change is saved in that directory before it is sent. If the \
            store cannot be reached, the command succeeds nevertheless, and the change waits there. \
            Screens show it, marked as not sent. “shop send DIRECTORY” sends everything that waits, \
            and “shop pending DIRECTORY” lists it.
            """,
        subcommands: [
            TourCommand.self, ShowCommand.self, BrowseCommand.self, FavoriteCommand.self,
            AddCommand.self, ListsCommand.self, RaceCommand.self, ServeCommand.self,
            ImportCommand.self, ExportCommand.self, CacheCommand.self, SendCommand.self,
            PendingCommand.self,
        ],
        defaultSubcommand: TourCommand.self
    )

    @OptionGroup var keep: KeepOption
}
