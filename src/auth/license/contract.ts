/** What has to be bought. Others may come: a license keeps names that this release does not know. */
export const licensedFeatures = ['sync-patches', 'platform-link'] as const
export type Feature = (typeof licensedFeatures)[number]

/** What an issuer has signed. */
export interface License {
  readonly id: string
  readonly issuedTo: string
  readonly features: readonly string[]
  readonly limits: LicenseLimits
  readonly issuedAtMs: number
  /** Absent: it never ends. */
  readonly expiresAtMs?: number
}

/** Absent: as many as one likes. */
export interface LicenseLimits {
  readonly virtualClusters?: number
}

/** A license whose signature was checked; whether its time has come is another question. */
export type OpenedLicense =
  | { readonly state: 'signed'; readonly license: License }
  | { readonly state: 'unreadable' | 'untrusted'; readonly message: string }

/** `unreadable`: it is not a license; `untrusted`: another issuer signed it, or it was changed afterward. */
export type LicenseCheck =
  | { readonly state: 'valid' | 'expired' | 'not-yet-valid'; readonly license: License }
  | { readonly state: 'unreadable' | 'untrusted'; readonly message: string }
