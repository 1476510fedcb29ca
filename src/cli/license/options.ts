export interface IssuerOptions {
  readonly key: string
  readonly create?: boolean
}

export interface IssueOptions {
  readonly key: string
  readonly to: string
  readonly feature?: readonly string[]
  readonly virtualClusters?: number
  /** Seconds. */
  readonly expireAfter?: number
}

export interface ShowLicenseOptions {
  readonly licenseIssuer?: string
  readonly output: 'text' | 'json'
}
