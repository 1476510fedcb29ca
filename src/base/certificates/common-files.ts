/** Beside the keys of a server: the id of the order to replace them that it has followed last. */
export const followedOrderFile = 'rotation.followed'

/** Files of a data directory that other servers may have as well. */
export interface CommonFiles {
  /** What `use` makes or renews becomes what all have, unless another was faster: then it is done once more, with theirs. */
  around<T>(use: () => Promise<T>): Promise<T>
  /** Of all that want the change called `id`, one makes it, and the others take what came of it. */
  once(id: string, change: () => Promise<void>): Promise<void>
}

/** Of a server that has its directory to itself. */
export const ownFiles: CommonFiles = {
  around: (use) => use(),
  once: (_, change) => change(),
}
