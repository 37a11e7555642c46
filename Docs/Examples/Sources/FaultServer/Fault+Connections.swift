extension Fault {
    /// Reads the request and closes the connection without a response.
    public static let closesBeforeTheHead = Fault("closes before the head") { _, connection in
        try connection.close()
    }

    /// Reads the request and resets the connection without a response.
    public static let resetsBeforeTheHead = Fault("resets before the head") { _, connection in
        try connection.reset()
    }

    /// Resets the connection in the middle of the body.
    public static let resetsInTheBody = Fault("resets in the body") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":")
        try connection.reset()
    }

    /// Keeps the connection open and sends nothing.
    public static let hangsBeforeTheHead = Fault("hangs before the head") { _, connection in
        try await connection.hang()
    }

    /// Stops in the middle of a header field and keeps the connection open.
    public static let hangsInTheHead = Fault("hangs in the head") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\nContent-")
        try await connection.hang()
    }

    /// Stops in the middle of the body and keeps the connection open.
    public static let hangsInTheBody = Fault("hangs in the body") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":")
        try await connection.hang()
    }

    /// Sends header fields slowly and without end.
    public static let dripsTheHead = Fault("drips the head") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\n")
        try await connection.drip("X-More: more\r\n")
    }

    /// Sends the body slowly, byte by byte, and without end.
    public static let dripsTheBody = Fault("drips the body") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\n\r\n")
        try await connection.drip(" ")
    }
}
