import { createHash } from 'node:crypto'
import { isRefusal } from '../../../api/error.ts'
import type { Random } from '../../../base/random.ts'
import { say } from '../../output/messages.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { ClientOptions } from '../session.ts'
import { withClient } from '../session.ts'
import { listenForCode } from './code-listener.ts'
import { openBrowser } from './open-browser.ts'
import { receivedKey } from './received-key.ts'

const waitMs = 5 * 60_000

/** Options of a sign-in that is finished in a browser. */
export interface BrowserLoginOptions extends Pick<ClientOptions, 'url' | 'trust'> {
  readonly random: Random
}

/**
 * An access key for a user who signs in with the browser. Only a code returns to this machine, over loopback, and it is
 * useless without the verifier that this process keeps: the key itself is never in a URL.
 */
export async function browserLogin({ url, trust, random }: BrowserLoginOptions, terminal: Terminal): Promise<string> {
  const body = await codeByBrowser({ url, random, query: {} }, terminal)
  return withClient({ url, trust, accessKey: '' }, terminal, async (client) => {
    const answer = await client.ask({ method: 'POST', path: '/auth/token', body })
    const accessKey = receivedKey(answer.accessKey)
    if (accessKey !== undefined) return accessKey
    throw new Error(`${url.origin} answered without an access key`)
  })
}

export interface BrowserCodeOptions extends Pick<BrowserLoginOptions, 'url' | 'random'> {
  /** Additional parameters for the sign-in page. */
  readonly query: Readonly<Record<string, string>>
}

/** The code of a sign-in in the browser, and the verifier that makes it usable. */
export async function codeByBrowser(
  { url, random, query: more }: BrowserCodeOptions,
  terminal: Terminal,
): Promise<{ readonly code: string; readonly verifier: string }> {
  const [verifier, state] = [randomText(random), randomText(random)]
  const listener = await listenForCode(state, waitMs)
  try {
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const query = new URLSearchParams({ ...more, challenge, port: String(listener.port), state })
    const address = `${url.origin}${url.pathname.replace(/\/$/, '')}/auth/login?${query}`
    say(terminal, `Sign in by the browser. If none opens, open this address on this computer:\n${address}`)
    openBrowser(address, terminal.env)
    return { code: await listener.code, verifier }
  } finally {
    listener.close()
  }
}

/** Whether users can sign in to the platform without a key. Platforms of earlier releases do not support it. */
export function hasSignOn({ url, trust }: Pick<ClientOptions, 'url' | 'trust'>, terminal: Terminal): Promise<boolean> {
  return withClient({ url, trust, accessKey: '' }, terminal, async (client) => {
    try {
      const { connectors } = await client.ask({ path: '/auth/connectors' })
      return Array.isArray(connectors) && connectors.length > 0
    } catch (error) {
      if (isRefusal(error, 401, 403, 404)) return false
      throw error
    }
  })
}

export function randomText(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}
