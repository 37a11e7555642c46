// The only re-export of the library. On Linux, URLRequest is in FoundationNetworking, which therefore
// neither apps nor other files of the library import. The documentation is built without it, or it would
// contain all of Foundation: Docs/build-site.sh passes the import on the command line.
#if canImport(FoundationNetworking) && !DOCUMENTATION
@_exported public import FoundationNetworking
#endif
