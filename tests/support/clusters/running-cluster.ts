/** A Kubernetes API in separate processes. */
export interface RunningCluster {
  readonly url: string
  readonly port: number
  readonly token: string
  /** PEM. */
  readonly authority: string
  /** A file, for an administrator. */
  readonly kubeconfig: string
  /** The ids of all its processes, including the store. */
  processIds(): readonly number[]
  /** Kills the API server at an arbitrary moment; acknowledged writes stay. */
  kill(): Promise<void>
  /** Starts it again at its address. */
  start(): Promise<void>
  /** Stops the process; connections stay open. */
  freeze(): void
  thaw(): void
  /** Ends it and deletes its data. */
  remove(): Promise<void>
}
