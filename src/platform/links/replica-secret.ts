import type { UserInfo } from '../../api/access.ts'
import type { Authenticator } from '../../auth/contract.ts'
import { asText } from '../../base/json/lenient.ts'
import { isSameSecret } from '../../base/keys/same-secret.ts'
import type { Random } from '../../base/random.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { ensureObject } from '../../registry/controllers/ensure.ts'
import { platformRequest } from '../platform-user.ts'
import { replicaNamespace } from './replica-lease.ts'

const name = 'platform-replicas'
const entry = 'token'
const tokenPrefix = 'tpr_'

/** Another replica of the platform. As with the platform itself, only this very object is trusted. */
export const replicaUser: UserInfo = { name: 'system:platform:replica', groups: ['system:authenticated'] }

/** How replicas authenticate to each other: with a shared secret in the store, created by the first replica. */
export class ReplicaSecret implements Authenticator {
  readonly #secrets: () => ResourceContext
  #known: { readonly resourceVersion: string; readonly token: string } | undefined

  constructor(secrets: () => ResourceContext) {
    this.#secrets = secrets
  }

  async ensure(random: Random): Promise<void> {
    const token = tokenPrefix + Buffer.from(random.bytes(32)).toString('base64url')
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: replicaNamespace },
      type: 'Opaque',
      data: { [entry]: Buffer.from(token).toString('base64') },
    }
    await ensureObject(this.#secrets(), secret, platformRequest('replicas', new AbortController().signal))
  }

  token(): string | undefined {
    const document = this.#secrets().cache.get({ namespace: replicaNamespace, name })
    if (document === undefined) return undefined
    const { resourceVersion } = document
    if (this.#known?.resourceVersion === resourceVersion) return this.#known.token
    const data: unknown = document.object.data
    const encoded = typeof data === 'object' && data !== null && entry in data ? data[entry] : ''
    const token = Buffer.from(asText(encoded), 'base64').toString()
    this.#known = { resourceVersion, token }
    return token
  }

  authenticateToken(presented: string) {
    const token = presented.startsWith(tokenPrefix) ? this.token() : undefined
    const isRight = token?.startsWith(tokenPrefix) === true && isSameSecret(presented, token)
    return isRight ? ({ outcome: 'authenticated', user: replicaUser } as const) : ({ outcome: 'unknown' } as const)
  }
}
