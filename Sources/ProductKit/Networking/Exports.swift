// On Linux, URLRequest lives in a module of its own; whoever imports ProductKit may name it.
// The documentation site is built without this line, or it would hold all of Foundation.
#if canImport(FoundationNetworking) && !DOCUMENTATION
@_exported public import FoundationNetworking
#endif
