import type { Query } from '../server/request/query.ts'
import type { CodeDestination } from './login-cookie.ts'

export const challengeForm = /^[\w-]{43}$/
const stateForm = /^[\w-]{16,128}$/
const portForm = /^[1-9]\d{3,4}$/
const longestPath = 1_000
/** A path of this server. Anything that a browser could read as another host, or as more than a path, does not match. */
const pathForm = /^\/(?![/\\])[\x21\x23-\x5b\x5d-\x7e]*$/

/** Where a sign-in ends, as requested at its beginning. Undefined: it is missing, or not allowed. */
export function readDestination(query: Query): CodeDestination | undefined {
  const challenge = query.get('challenge') ?? ''
  if (!challengeForm.test(challenge)) return undefined
  const port = query.get('port')
  return port === undefined ? consoleAt(challenge, query.get('return') ?? '/') : commandAt(challenge, port, query)
}

function consoleAt(challenge: string, path: string): CodeDestination {
  const isPath = path.length <= longestPath && pathForm.test(path) && !path.includes('#')
  return { kind: 'console', challenge, path: isPath ? path : '/' }
}

function commandAt(challenge: string, port: string, query: Query): CodeDestination | undefined {
  const state = query.get('state') ?? ''
  if (!portForm.test(port) || Number(port) > 65_535 || !stateForm.test(state)) return undefined
  return { kind: 'command', challenge, port: Number(port), state, isTest: query.get('test') === '1' }
}

/** Only a port and the command's own state go into the URL: it always leads to this computer. */
export function destinationAddress(destination: CodeDestination, code: string): string {
  if (destination.kind === 'console') return `${destination.path}#sign-on=${code}`
  const { port, state } = destination
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ code, state })}`
}
