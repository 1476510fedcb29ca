import { badRequest } from '../api/error.ts'

/**
 * Where a list that was cut short goes on: after which object, and in the state of which revision. A revision of
 * undefined reads the rest from whatever the state is then.
 */
export interface ContinueToken {
  readonly afterKey: string
  readonly revision: number | undefined
  /** How many objects are left; absent when a selector makes counting costly. */
  readonly remaining?: number
}

export function printContinueToken(token: ContinueToken): string {
  const { afterKey: start, revision: rv = -1, remaining: left = -1 } = token
  return Buffer.from(JSON.stringify({ v: 'tenant/v1', rv, start, left })).toString('base64url')
}

export function parseContinueToken(text: string): ContinueToken {
  const content = decoded(text)
  if (!isTokenContent(content)) throw badRequest('invalid continue token: it was not issued by this server')
  return {
    afterKey: content.start,
    revision: content.rv < 0 ? undefined : content.rv,
    ...(content.left < 0 ? {} : { remaining: content.left }),
  }
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw badRequest('invalid continue token: it cannot be decoded')
  }
}

interface TokenContent {
  readonly rv: number
  readonly start: string
  readonly left: number
}

function isTokenContent(content: unknown): content is TokenContent {
  if (typeof content !== 'object' || content === null || !('v' in content) || content.v !== 'tenant/v1') return false
  if (!('rv' in content) || !('start' in content) || !('left' in content)) return false
  return Number.isSafeInteger(content.rv) && Number.isSafeInteger(content.left) && typeof content.start === 'string'
}
