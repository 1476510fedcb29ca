/** Where the platform listens in its Pod. */
export const servingPort = 8443
