import { createHash } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../../api/error.ts'
import type { ApiClient } from '../../../client/command/api-client.ts'
import { ConnectionError, UntrustedCertificate } from '../../../client/connection/connection-error.ts'
import { say } from '../../output/messages.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withClient } from '../session.ts'
import { type BrowserLoginOptions, randomText } from './browser-login.ts'
import { receivedKey } from './received-key.ts'

/**
 * An access key for a user who signs in with a browser on another machine. The code entered there is useless without
 * the verifier that this process keeps.
 */
export function deviceLogin({ url, trust, random }: BrowserLoginOptions, terminal: Terminal): Promise<string> {
  const verifier = randomText(random)
  return withClient({ url, trust, accessKey: '' }, terminal, async (client) => {
    const { userCode, expiresInSeconds, pollSeconds } = await begun(client, verifier)
    const address = `${url.origin}${url.pathname.replace(/\/$/, '')}/auth/device`
    say(terminal, `Open ${address} in a browser on any machine, sign in, and type there: ${userCode}`)
    say(
      terminal,
      `It is good for ${Math.floor(expiresInSeconds / 60)} minutes. Keep it to yourself: it lets this machine in as you.`,
    )
    const tries = Math.ceil(expiresInSeconds / pollSeconds)
    for (let count = 0; count < tries; count += 1) {
      await pause(pollSeconds * 1000)
      const accessKey = await keyFor(client, userCode, verifier)
      if (accessKey !== undefined) return accessKey
    }
    throw new Error('the code has expired; run the command again to get another one')
  })
}

/** Undefined: not yet. A restarting server, or a broken connection, is no reason to give up ten minutes of waiting. */
async function keyFor(client: ApiClient, code: string, verifier: string): Promise<string | undefined> {
  try {
    const { accessKey } = await client.ask({ method: 'POST', path: '/auth/token', body: { code, verifier } })
    return receivedKey(accessKey)
  } catch (error) {
    if (error instanceof ConnectionError && !(error instanceof UntrustedCertificate)) return undefined
    if (error instanceof ApiError && (error.code === 429 || error.code >= 500)) return undefined
    throw error
  }
}

interface Begun {
  readonly userCode: string
  readonly expiresInSeconds: number
  readonly pollSeconds: number
}

/** A code that a user can type. Any other text could let a server show a message of its choice to the user. */
const codeForm = /^[\w-]{1,32}$/

async function begun(client: ApiClient, verifier: string): Promise<Begun> {
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const query = { challenge, machine: machineName() }
  const { userCode, expiresInSeconds, pollSeconds } = await client.ask({ method: 'POST', path: '/auth/device', query })
  const isCode = typeof userCode === 'string' && codeForm.test(userCode)
  if (isCode && typeof expiresInSeconds === 'number' && typeof pollSeconds === 'number') {
    return {
      userCode,
      expiresInSeconds: between(60, expiresInSeconds, 1_800),
      pollSeconds: between(1, pollSeconds, 60),
    }
  }
  throw new Error(`${client.origin} cannot sign in a machine without a browser; log in with --access-key-stdin`)
}

/** Whatever a server says: a pause that is too long for a timer would fire immediately. */
function between(least: number, told: number, most: number): number {
  return Math.min(Math.max(told, least), most)
}

/** What the user reads on the page: who runs this, and where. */
function machineName(): string {
  try {
    return `${userInfo().username} on ${hostname()}`
  } catch {
    return hostname()
  }
}
