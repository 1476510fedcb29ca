/** A real kube-apiserver, without those that its controllers would be. */
export interface SharedKubernetes {
  readonly url: string
  readonly port: number
  readonly token: string
  /** PEM. */
  readonly authority: string
  /** A file, for an administrator. */
  readonly kubeconfig: string
}

/** A cluster with a node on which Pods really run: there is room for one on a machine. */
export interface SharedNode {
  readonly url: string
  readonly token: string
  /** PEM. */
  readonly authority: string
  /** A file, for an administrator. */
  readonly kubeconfig: string
  /** The program, of the same version. */
  readonly kubectl: string
  /** Of this machine, where Pods reach it. */
  readonly address: string
}

/** The program as an image, for a node to load. */
export interface SharedImage {
  readonly name: string
  /** A file. */
  readonly archive: string
}

export interface SharedBrowser {
  /** Where Playwright connects to. */
  readonly endpoint: string
}

/** kubectl with short-lived keys, on its own beside all suites. */
export interface SharedConnectedKubectl {
  /** Where it writes what happens. */
  readonly folder: string
  readonly seconds: number
}

/** What all suites of a run use together, because to start it takes longer than most of them. */
export interface SharedParts {
  readonly kubernetes: SharedKubernetes
  readonly browser: SharedBrowser
  readonly node: SharedNode
  readonly image: SharedImage
  readonly connectedKubectl: SharedConnectedKubectl
}

export type SharedName = keyof SharedParts

/** Where suites ask for it: a socket beside all else that the run writes. */
export function sharedSocket(home: string): string {
  return `${home}/shared.sock`
}
