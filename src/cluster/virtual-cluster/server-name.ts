/** Distinguishes the files of the API server of a virtual cluster from those of others in its data directory. */
export const serverName = 'virtual'
