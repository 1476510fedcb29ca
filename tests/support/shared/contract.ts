/** A real kube-apiserver, without controllers. */
export interface SharedKubernetes {
  readonly url: string
  readonly port: number
  readonly token: string
  /** PEM. */
  readonly authority: string
  /** A file, for an administrator. */
  readonly kubeconfig: string
}

/** A cluster with a node on which Pods really run. A machine has room for one. */
export interface SharedNode {
  readonly url: string
  readonly token: string
  /** PEM. */
  readonly authority: string
  /** A file, for an administrator. */
  readonly kubeconfig: string
  /** The kubectl program, of the same version. */
  readonly kubectl: string
  /** The address of this machine at which Pods reach it. */
  readonly address: string
}

/** The program as an image, for a node to load. */
export interface SharedImage {
  readonly name: string
  /** A file. */
  readonly archive: string
}

export interface SharedBrowser {
  /** The address that Playwright connects to. */
  readonly endpoint: string
}

/** kubectl with short-lived keys, which runs beside all suites. */
export interface SharedConnectedKubectl {
  /** The folder for its log. */
  readonly folder: string
  readonly seconds: number
}

/** Parts that all suites of a run share, because starting them takes longer than most suites. */
export interface SharedParts {
  readonly kubernetes: SharedKubernetes
  readonly browser: SharedBrowser
  readonly node: SharedNode
  readonly image: SharedImage
  readonly connectedKubectl: SharedConnectedKubectl
}

export type SharedName = keyof SharedParts

/** The socket at which suites ask for it, beside the other files of the run. */
export function sharedSocket(home: string): string {
  return `${home}/shared.sock`
}
