/** Returns the state of the whole store, as fast as the client reads it. */
export const backupPath = '/backup'
