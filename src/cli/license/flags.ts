export interface IssuerFlags {
  readonly key: string
  readonly create?: boolean
}

export interface IssueFlags {
  readonly key: string
  readonly to: string
  readonly feature?: readonly string[]
  readonly virtualClusters?: number
  /** Seconds. */
  readonly expireAfter?: number
}

export interface ShowLicenseFlags {
  readonly issuer?: string
  readonly output: 'text' | 'json'
}
