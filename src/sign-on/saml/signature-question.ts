import type { SamlConfig } from '@node-saml/node-saml'

/** Whether a response is signed, as the thread that finds out is asked. */
export interface SignatureQuestion {
  readonly xml: string
  readonly settings: SamlConfig
  /** PEM. One of them has to have signed. */
  readonly certificates: readonly string[]
}
