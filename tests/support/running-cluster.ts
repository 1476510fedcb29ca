/** A Kubernetes API in processes of its own. */
export interface RunningCluster {
  readonly url: string
  readonly port: number
  readonly token: string
  /** PEM. */
  readonly authority: string
  /** A file, for an administrator. */
  readonly kubeconfig: string
  /** Of everything that serves, the store included. */
  processIds(): readonly number[]
  /** The API server ends in the middle of whatever it does; what it acknowledged stays. */
  kill(): Promise<void>
  /** Starts it again where it was. */
  start(): Promise<void>
  /** Stops its time, connections stay open. */
  freeze(): void
  thaw(): void
  /** Ends it and removes its data. */
  remove(): Promise<void>
}
