/** A user who is known by a token. */
export interface ApiServerUser {
  readonly token: string
  readonly user: string
  readonly uid?: string
  /** `system:masters` may do everything. */
  readonly groups?: readonly string[]
}

export interface ApiServerOptions {
  /** Where objects, certificates and the kubeconfig are kept. Absent: a new directory, removed by `stop()`. */
  readonly dataDir?: string
  /** The HTTPS port on 127.0.0.1. Absent or 0: a free one. */
  readonly port?: number
  /** Users besides the administrator of the kubeconfig. */
  readonly users?: readonly ApiServerUser[]
  /** Where the cluster addresses of Services come from. Absent: `10.96.0.0/16`. */
  readonly serviceClusterIpRange?: string
  /**
   * `all` (when absent): garbage collection, namespace deletion, default ServiceAccounts, aggregated ClusterRoles.
   * `none`: as kube-apiserver without kube-controller-manager.
   */
  readonly controllers?: 'all' | 'none'
  /** An AdmissionConfiguration, as kube-apiserver reads it: names the credentials that admission webhooks are shown. */
  readonly admissionControlConfigFile?: string
}

/** A Kubernetes API server in this process. */
export interface RunningApiServer {
  /** Such as `https://127.0.0.1:43117`. */
  readonly url: string
  /** File with a kubeconfig for the administrator. */
  readonly kubeconfig: string
  /** Of the administrator. */
  readonly token: string
  /** PEM. */
  readonly certificateAuthority: string
  readonly dataDir: string
  /** Ends the server. What is in a directory of the caller's stays. */
  stop(): Promise<void>
}

/** Resolves when the server answers requests. */
export function startApiServer(options?: ApiServerOptions): Promise<RunningApiServer>
