/** Where access keys stand in the store of a platform, whatever its domain is. */
export const accessKeyPlace = /^\/objects\/management\.[^/]+\/ownedaccesskeys\//
