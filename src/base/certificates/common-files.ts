/** Stored beside a server's keys: the id of the last rotation order that the server has carried out. */
export const followedOrderFile = 'rotation.followed'

/** Files of a data directory that other servers may share. */
export interface CommonFiles {
  /**
   * Whatever `use` creates or renews becomes the version that all servers share. If another server was faster, `use`
   * runs again with that server's files.
   */
  around<T>(use: () => Promise<T>): Promise<T>
  /** Of all servers that want the change called `id`, one makes it and the others adopt its result. */
  once(id: string, change: () => Promise<void>): Promise<void>
}

/** For a server that does not share its directory. */
export const ownFiles: CommonFiles = {
  around: (use) => use(),
  once: (_, change) => change(),
}
