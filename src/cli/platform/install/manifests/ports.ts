/** Where the platform listens in its Pod. */
export const platformPort = 8443
