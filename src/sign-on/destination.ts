import type { Query } from '../server/query.ts'
import type { CodeDestination } from './login-cookie.ts'

export const challengeForm = /^[\w-]{43}$/
const stateForm = /^[\w-]{16,128}$/
const portForm = /^[1-9]\d{3,4}$/
const longestPath = 1_000
/** A path of this server: what a browser could read as another host, or as more than a path, is none. */
const pathForm = /^\/(?![/\\])[\x21\x23-\x5b\x5d-\x7e]*$/

/** Where a sign-in goes in the end, as the one who begins it says. Undefined: it is not said, or nowhere allowed. */
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

/** Only a port and what the command itself has said go into the address: it is always that of this computer. */
export function destinationAddress(destination: CodeDestination, code: string): string {
  if (destination.kind === 'console') return `${destination.path}#sign-on=${code}`
  const { port, state } = destination
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ code, state })}`
}
