/** Where the platform writes in its Pod. */
export const dataDirectory = '/var/lib/tenant'
export const temporaryDirectory = '/tmp'
