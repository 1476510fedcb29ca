import type { AuthenticateSession } from '../../auth/keys/session-authenticator.ts'
import type { StaticTokens } from '../../auth/static-tokens.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { WhenConfirmed } from '../access-keys/key-confirmation.ts'
import type { KeyParts } from '../access-keys/parts.ts'

export interface SessionParts {
  readonly keyParts: KeyParts
  readonly keys: () => ResourceContext
  readonly tokens: Pick<StaticTokens, 'holderOf'>
  readonly check: AuthenticateSession
  /** Sessions are accepted under the same conditions as keys. */
  readonly whenConfirmed: WhenConfirmed
}
