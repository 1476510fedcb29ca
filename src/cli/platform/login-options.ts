export interface LoginOptions {
  readonly url: URL
  readonly name?: string
  readonly key: KeySource
  /** File with authorities in PEM. */
  readonly ca?: string
  readonly fingerprint?: string
}

export type KeySource =
  | { readonly from: 'flag' | 'environment'; readonly value: string }
  | { readonly from: 'stdin' }
  /** Nothing was said: whoever sits there is asked. */
  | { readonly from: 'prompt' }
