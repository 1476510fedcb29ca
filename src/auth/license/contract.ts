/** Features that need a license. A license may name features that this release does not know. */
export const licensedFeatures = ['sync-patches', 'platform-link'] as const
export type Feature = (typeof licensedFeatures)[number]

/** The content that an issuer signed. */
export interface License {
  readonly id: string
  readonly issuedTo: string
  readonly features: readonly string[]
  readonly limits: LicenseLimits
  readonly issuedAtMs: number
  /** Absent: it never ends. */
  readonly expiresAtMs?: number
}

/** Absent: unlimited. */
export interface LicenseLimits {
  readonly virtualClusters?: number
}

/** A license whose signature was verified; its validity period is checked separately. */
export type OpenedLicense =
  | { readonly state: 'signed'; readonly license: License }
  | { readonly state: 'unreadable' | 'untrusted'; readonly message: string }

/** `unreadable`: not a license; `untrusted`: signed by another issuer, or changed later. */
export type LicenseCheck =
  | { readonly state: 'valid' | 'expired' | 'not-yet-valid'; readonly license: License }
  | { readonly state: 'unreadable' | 'untrusted'; readonly message: string }
