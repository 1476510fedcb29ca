/**
 * The abort reason when a request is over. Shared, because the default reason would be created with its stack each
 * time.
 */
export const requestOver = new Error('The request is over.')
