/** Kept outside the objects, so that no request can read or write it. */
export const identityRoot = '/identity/'
