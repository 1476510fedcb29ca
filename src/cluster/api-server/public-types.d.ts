/** A user with a token. */
export interface ApiServerUser {
  readonly token: string
  readonly user: string
  readonly uid?: string
  /** `system:masters` may do everything. */
  readonly groups?: readonly string[]
}

export interface ApiServerOptions {
  /** Directory for objects, certificates and the kubeconfig. Absent: a new directory, removed by `stop()`. */
  readonly dataDir?: string
  /** The HTTPS port on 127.0.0.1. Absent or 0: a free one. */
  readonly port?: number
  /** Users besides the administrator of the kubeconfig. */
  readonly users?: readonly ApiServerUser[]
  /** The range of cluster addresses for Services. Absent: `10.96.0.0/16`. */
  readonly serviceClusterIpRange?: string
  /**
   * `all` (default): garbage collection, namespace deletion, default ServiceAccounts, aggregated ClusterRoles. `none`:
   * as kube-apiserver without kube-controller-manager.
   */
  readonly controllers?: 'all' | 'none'
  /** An AdmissionConfiguration in kube-apiserver's format: names the credentials for admission webhooks. */
  readonly admissionControlConfigFile?: string
}

/** A Kubernetes API server in this process. */
export interface RunningApiServer {
  /** For example `https://127.0.0.1:43117`. */
  readonly url: string
  /** File with a kubeconfig for the administrator. */
  readonly kubeconfig: string
  /** The administrator's token. */
  readonly token: string
  /** PEM. */
  readonly certificateAuthority: string
  readonly dataDir: string
  /** Stops the server. A directory of the caller is kept. */
  stop(): Promise<void>
}

/** Resolves when the server answers requests. */
export function startApiServer(options?: ApiServerOptions): Promise<RunningApiServer>
