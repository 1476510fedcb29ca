export interface LoginOptions {
  readonly url: URL
  readonly name?: string
  readonly key: LoginKeySource
  /** A file with authorities in PEM. */
  readonly ca?: string
  readonly fingerprint?: string
}

export type LoginKeySource =
  | { readonly from: 'flag' | 'environment'; readonly value: string }
  | { readonly from: 'stdin' }
  | { readonly from: 'prompt' }
  /** Default: the user signs in with the browser if the platform has an identity provider, otherwise enters a key. */
  | { readonly from: 'browser' }
  /** The user signs in with a browser on another machine. */
  | { readonly from: 'device' }
  /** A machine exchanges a token from elsewhere. The file, or `-` for standard input. */
  | { readonly from: 'exchange'; readonly file: string }
