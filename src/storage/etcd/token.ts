import { CallFailure } from './call-failure.ts'
import type { AuthenticateRequest } from './requests.ts'

export interface EtcdCredentials {
  readonly user: string
  readonly password: string
}

/** An access token for user and password, fetched on first use and again when etcd no longer accepts it. */
export class EtcdTokenSource {
  readonly #credentials: EtcdCredentials | undefined
  #token: Promise<string> | undefined

  constructor(credentials: EtcdCredentials | undefined) {
    this.#credentials = credentials
  }

  /** Empty if no token is needed. Concurrent callers share one request. */
  get(authenticate: (request: AuthenticateRequest) => Promise<string>): Promise<string> {
    if (this.#credentials === undefined) return noToken
    if (this.#token === undefined) {
      const { user: name, password } = this.#credentials
      const token = authenticate({ name, password }).catch(emptyWithoutAuthentication)
      this.#token = token
      token.catch(() => this.forget(token))
    }
    return this.#token
  }

  get canRenew(): boolean {
    return this.#credentials !== undefined
  }

  /** Does nothing if a newer token has been fetched meanwhile. Without an argument, forgets the current one. */
  forget(token: Promise<string> | undefined = this.#token): void {
    if (this.#token === token) this.#token = undefined
  }
}

const noToken = Promise.resolve('')

/** An etcd cluster without authentication is used without a token. */
function emptyWithoutAuthentication(error: unknown): string {
  if (error instanceof CallFailure && error.message.includes('authentication is not enabled')) return ''
  throw error
}
