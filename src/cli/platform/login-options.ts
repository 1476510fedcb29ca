export interface LoginOptions {
  readonly url: URL
  readonly name?: string
  readonly key: LoginKeySource
  /** File with authorities in PEM. */
  readonly ca?: string
  readonly fingerprint?: string
}

export type LoginKeySource =
  | { readonly from: 'flag' | 'environment'; readonly value: string }
  | { readonly from: 'stdin' }
  | { readonly from: 'prompt' }
  /** Nothing was said: the user signs in by the browser where the platform has an identity provider, else is asked. */
  | { readonly from: 'browser' }
  /** The user signs in by a browser on another machine. */
  | { readonly from: 'device' }
  /** A machine exchanges the token that it has from elsewhere. The file, or `-` for standard input. */
  | { readonly from: 'exchange'; readonly file: string }
