/**
 * The abort reason when a request is over. Shared, because the default reason would be created with its stack each
 * time.
 */
export const over = new Error('The request is over.')
