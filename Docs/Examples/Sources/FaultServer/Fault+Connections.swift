extension Fault {
    /// Reads the request and closes the connection.
    public static let closesBeforeTheHead = Fault("closes before the head") { _, connection in
        try connection.close()
    }

    /// Reads the request and resets the connection.
    public static let resetsBeforeTheHead = Fault("resets before the head") { _, connection in
        try connection.reset()
    }

    /// Resets the connection after some of the body.
    public static let resetsInTheBody = Fault("resets in the body") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":")
        try connection.reset()
    }

    /// Never answers.
    public static let hangsBeforeTheHead = Fault("hangs before the head") { _, connection in
        try await connection.hang()
    }

    /// Stops in the middle of a field of the head.
    public static let hangsInTheHead = Fault("hangs in the head") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\nContent-")
        try await connection.hang()
    }

    /// Stops in the middle of the body.
    public static let hangsInTheBody = Fault("hangs in the body") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":")
        try await connection.hang()
    }

    /// Sends one field of the head after the other, without end.
    public static let dripsTheHead = Fault("drips the head") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\n")
        try await connection.drip("X-More: more\r\n")
    }

    /// Sends one byte of the body after the other, without end.
    public static let dripsTheBody = Fault("drips the body") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\n\r\n")
        try await connection.drip(" ")
    }
}
