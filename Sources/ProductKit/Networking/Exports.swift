// The only re-export of the library, also for its own files. On Linux, URLRequest is in
// FoundationNetworking, which apps then need not import. The documentation is built without it, or
// it would contain all of Foundation.
#if canImport(FoundationNetworking) && !DOCUMENTATION
@_exported public import FoundationNetworking
#endif
