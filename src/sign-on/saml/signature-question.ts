import type { SamlConfig } from '@node-saml/node-saml'

/** The task for the thread: whether a response is signed. */
export interface SignatureQuestion {
  readonly xml: string
  readonly settings: SamlConfig
  /** PEM. One of them must have signed. */
  readonly certificates: readonly string[]
}
