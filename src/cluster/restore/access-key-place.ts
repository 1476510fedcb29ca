/** The storage keys of access keys in the store of a platform, whatever its domain. */
export const accessKeyPlace = /^\/objects\/management\.[^/]+\/ownedaccesskeys\//
