/// The parsed command line.
enum Command {
    /// The output format.
    enum Style {
        case table, markdown, json
    }

    /// The options of a measurement.
    struct Options {
        var effort = Effort.full
        var style = Style.table
        var chart: String?
    }

    /// Arguments that the program does not support.
    struct InvalidArguments: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }

        init(unknown name: String) {
            self.init("There is no benchmark “\(name)”. “list” prints all names.")
        }
    }

    case help
    case list
    case only(String, Int?)
    case measure([String], Options)

    init(_ arguments: [String]) throws {
        switch arguments.first {
        case "--help", "-h", "help": self = .help
        case "list" where arguments.count == 1: self = .list
        case "only": self = try Command.only(arguments.dropFirst())
        default: self = try Command.measure(arguments)
        }
    }

    private static func only(_ arguments: ArraySlice<String>) throws -> Command {
        guard let name = arguments.first else { throw InvalidArguments("“only” needs a name.") }
        guard let text = arguments.dropFirst().first else { return .only(name, nil) }
        guard let count = Int(text), count > 0, arguments.count == 2 else {
            throw InvalidArguments("“only” takes a name and at most one count.")
        }
        return .only(name, count)
    }

    private static func measure(_ arguments: [String]) throws -> Command {
        var names: [String] = []
        var options = Options()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--exact": options.effort = .exact
            case "--json": options.style = .json
            case "--markdown": options.style = .markdown
            case "--chart":
                guard let file = rest.popFirst(), !file.hasPrefix("-") else {
                    throw InvalidArguments("“--chart” needs a file.")
                }
                options.chart = file
            case _ where argument.hasPrefix("-"):
                throw InvalidArguments("There is no option “\(argument)”.")
            default: names.append(argument)
            }
        }
        return .measure(names, options)
    }
}
