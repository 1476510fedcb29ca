/** Distinguishes the files of the virtual cluster's API server from others in its data directory. */
export const serverName = 'virtual'
