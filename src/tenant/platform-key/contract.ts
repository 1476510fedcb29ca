/** How a tenant reaches its platform. */
export interface PlatformKey {
  readonly source: KeySource
  /** Origin and path, without a trailing slash. Always https. */
  readonly url: string
  readonly accessKey: string
  /** The project to register in; absent: the configuration or the scope of the key decides. */
  readonly project?: string
  /** The requested name on the platform; absent: the tenant's own name. */
  readonly name?: string
  /** Whether any certificate is accepted. Only if the entry `insecure` says so. */
  readonly insecure: boolean
  /** PEM; absent: the authorities of the system. */
  readonly certificateAuthority?: string
}

/** Where a key was found, or searched. */
export type KeySource = { readonly type: 'environment' } | ({ readonly type: 'secret' } & KeySecretPlace)

export interface KeySecretPlace {
  readonly namespace: string
  readonly name: string
}

/**
 * How much a key matters. `configured`: a Secret is named; `dedicated`: `external.platform: {}`; `optional`: nothing is
 * configured, and without a key the tenant has no platform.
 */
export type KeyExpectation = 'configured' | 'dedicated' | 'optional'

/** The first match wins, and an invalid one ends the search. */
export type KeyLookup =
  | { readonly state: 'found'; readonly key: PlatformKey }
  | {
      readonly state: 'absent'
      readonly expectation: KeyExpectation
      /** All searched places, in order. */
      readonly looked: readonly KeySource[]
    }
  | { readonly state: 'wrong'; readonly source: KeySource; readonly message: string }
  /** It may exist: the host does not let the tenant read it. */
  | { readonly state: 'forbidden'; readonly source: KeySource; readonly message: string }

/** The result of reading one Secret. */
export type SecretReading =
  | { readonly state: 'found'; readonly entries: Readonly<Record<string, string>> }
  | { readonly state: 'absent' }
  | { readonly state: 'forbidden' }

/** Throws if the host cannot be reached. */
export type ReadSecret = (place: KeySecretPlace, signal?: AbortSignal) => Promise<SecretReading>
