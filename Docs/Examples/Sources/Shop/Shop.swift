/// A shop in the terminal.
@main
struct Shop {
    static func main() {
        print("The shop opens soon.")
    }
}
