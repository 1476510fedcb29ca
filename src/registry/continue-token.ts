import { badRequest } from '../api/error.ts'
import { jsonTypeName } from '../api/human/go-print.ts'
import { shortened } from '../api/human/shortened.ts'
import { JsonSyntaxError } from '../base/json/error.ts'
import { asMembers } from '../base/json/lenient.ts'
import { isJsonObject } from '../base/json/member.ts'
import { parseJson } from '../base/json/parse.ts'

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
  if (!isTokenContent(content)) throw notValid(problemOf(content))
  return {
    afterKey: content.start,
    revision: content.rv < 0 ? undefined : content.rv,
    ...(content.left < 0 ? {} : { remaining: content.left }),
  }
}

function decoded(text: string): unknown {
  const wrong = text.search(/[^A-Za-z0-9_-]/)
  if (wrong >= 0 || text.length % 4 === 1) {
    throw notValid(`: illegal base64 data at input byte ${wrong < 0 ? text.length - 1 : wrong}`)
  }
  try {
    return parseJson(Buffer.from(text, 'base64url').toString()).value
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw notValid(`: ${error.message}`)
    throw error
  }
}

function notValid(problem: string): Error {
  return badRequest(`invalid continue token: continue key is not valid${problem}`)
}

const knownVersion = 'meta.k8s.io/v1'

/** In the words of Kubernetes, whose tokens are like ours but for their version. */
function problemOf(content: unknown): string {
  if (content !== null && !isJsonObject(content)) {
    return `: json: cannot unmarshal ${jsonTypeName(content)} into Go value of type storage.continueToken`
  }
  const { v, rv, start } = asMembers(content)
  if (v !== 'tenant/v1' && v !== knownVersion) {
    return `: server does not recognize this encoded version ${shortened(typeof v === 'string' ? v : '')}`
  }
  if (rv === undefined || rv === 0) return `: incorrect encoded start resourceVersion (version ${knownVersion})`
  if (start === undefined || start === '') return `: encoded start key empty (version ${knownVersion})`
  return ': it was not issued by this server'
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
