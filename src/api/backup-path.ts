/** The state of the whole store, which is sent as fast as the client takes it. */
export const backupPath = '/backup'
