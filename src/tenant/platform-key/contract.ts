/** How a tenant reaches its platform. */
export interface PlatformKey {
  readonly source: KeySource
  /** Origin and path, without a slash at its end. Always https. */
  readonly url: string
  readonly accessKey: string
  /** Where the tenant registers; absent: the configuration or the reach of the key decides. */
  readonly project?: string
  /** What the tenant wants to be called on the platform; absent: its own name. */
  readonly name?: string
  /** Any certificate is accepted. Only where the entry `insecure` says so. */
  readonly insecure: boolean
  /** PEM; absent: the authorities of the system. */
  readonly certificateAuthority?: string
}

/** Where a key was found, or looked for. */
export type KeySource = { readonly type: 'environment' } | ({ readonly type: 'secret' } & KeySecretPlace)

export interface KeySecretPlace {
  readonly namespace: string
  readonly name: string
}

/**
 * How much a key matters. `configured`: a Secret is named; `dedicated`: `external.platform: {}`; `optional`: nothing is
 * said, and without a key the tenant stands alone.
 */
export type KeyExpectation = 'configured' | 'dedicated' | 'optional'

/** The first match wins, and one that is there but wrong is no reason to look further. */
export type KeyLookup =
  | { readonly state: 'found'; readonly key: PlatformKey }
  | {
      readonly state: 'absent'
      readonly expectation: KeyExpectation
      /** All the places, in their order. */
      readonly looked: readonly KeySource[]
    }
  | { readonly state: 'wrong'; readonly source: KeySource; readonly message: string }
  /** It may be there: the host does not let the tenant look. */
  | { readonly state: 'forbidden'; readonly source: KeySource; readonly message: string }

/** What the host says about one Secret. */
export type SecretReading =
  | { readonly state: 'found'; readonly entries: Readonly<Record<string, string>> }
  | { readonly state: 'absent' }
  | { readonly state: 'forbidden' }

/** Throws if the host cannot be asked. */
export type ReadSecret = (place: KeySecretPlace, signal?: AbortSignal) => Promise<SecretReading>
