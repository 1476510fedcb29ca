import { readFile } from 'node:fs/promises'
import { UsageError } from '../../../base/usage-error.ts'
import type { Trust } from '../../../client/connection/trust.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withClient } from '../session.ts'
import { readStandardInput } from './access-key-input.ts'
import type { LoginKeySource } from './login-options.ts'
import { receivedKey } from './received-key.ts'

const jwtType = 'urn:ietf:params:oauth:token-type:jwt'
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** Errors do not show the token. */
export async function readExchangeToken(source: LoginKeySource, terminal: Terminal): Promise<string> {
  const file = source.from === 'exchange' ? source.file : '-'
  const token = (await (file === '-' ? readStandardInput(terminal.stdin) : textOfFile(file))).trim()
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return token
  throw new UsageError(`there is no token (JWT) in ${file === '-' ? 'standard input' : file}`)
}

async function textOfFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new UsageError(`the file ${file} of --exchange-token cannot be read`)
  }
}

/** A short-lived access key for the token of a machine (RFC 8693). */
export function exchangeLogin(
  { url, trust }: { readonly url: URL; readonly trust: Trust },
  token: string,
  terminal: Terminal,
): Promise<string> {
  return withClient({ url, trust, accessKey: '' }, terminal, async (client) => {
    const body = { grant_type: exchangeGrant, subject_token: token, subject_token_type: jwtType }
    const answer = await client.ask({ method: 'POST', path: '/auth/exchange', body })
    const accessKey = receivedKey(answer.access_token)
    if (accessKey !== undefined) return accessKey
    throw new Error(`${url.origin} exchanges no tokens; log in with --access-key-stdin`)
  })
}
