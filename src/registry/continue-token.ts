import { badRequest, gone } from '../api/error.ts'
import { jsonTypeName } from '../api/human/go-print.ts'
import { shortened } from '../api/human/shortened.ts'
import { JsonSyntaxError } from '../base/json/error.ts'
import { asMembers } from '../base/json/lenient.ts'
import { isJsonObject } from '../base/json/member.ts'
import { parseJson } from '../base/json/parse.ts'

/**
 * Where a truncated list continues: after which object, and in the state of which revision. Without a revision, the
 * rest is read from the state at that time.
 */
export interface ContinueToken {
  readonly afterKey: string
  readonly revision: number | undefined
  /** How many objects are left. Absent if they must be counted, or if a selector makes counting costly. */
  readonly remaining?: number
}

const version = 'meta.k8s.io/v1'
/** For tokens issued before an upgrade: clients know to start over when a token has expired. */
const earlierVersion = 'tenant/v1'

/** The form that Kubernetes uses: the first key that may come next, relative to the list's namespace. */
export function printContinueToken(token: ContinueToken, namespace: string): string {
  const { afterKey, revision: rv = -1, remaining: left = -1 } = token
  const start = `${afterKey.slice(prefixOf(namespace).length)}\0`
  return Buffer.from(JSON.stringify({ v: version, rv, start, left })).toString('base64url')
}

export function parseContinueToken(text: string, namespace: string): ContinueToken {
  const { v, rv, start, left } = contentOf(decoded(text))
  if (v === earlierVersion)
    throw gone('The provided continue parameter is of an earlier version: start a new list without it.')
  if (v !== version) throw notValid(`: server does not recognize this encoded version ${shortened(v)}`)
  if (rv === 0) throw notValid(`: incorrect encoded start resourceVersion (version ${version})`)
  if (start === '') throw notValid(`: encoded start key empty (version ${version})`)
  if (!isPlainPath(start)) throw notValid(`: ${shortened(start)}`)
  const fromKey = `${prefixOf(namespace)}${start.replace(/^\//, '')}`
  return {
    afterKey: keyBefore(fromKey),
    revision: rv < 0 ? undefined : rv,
    ...(left < 0 ? {} : { remaining: left }),
  }
}

function prefixOf(namespace: string): string {
  return namespace === '' ? '' : `${namespace}/`
}

/** Whether cleaning the path would leave it unchanged: no `..`, no double slash, no trailing slash. */
function isPlainPath(start: string): boolean {
  if (start === '/') return true
  return start
    .replace(/^\//, '')
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..')
}

/** The key after which this one comes next. */
function keyBefore(key: string): string {
  if (key === '' || key.endsWith('\0')) return key.slice(0, -1)
  const last = key.charCodeAt(key.length - 1)
  return `${key.slice(0, -1)}${String.fromCharCode(last - 1)}\uffff`
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

interface TokenContent {
  readonly v: string
  readonly rv: number
  readonly start: string
  readonly left: number
}

/** Absent members count as empty, as in Kubernetes. */
function contentOf(content: unknown): TokenContent {
  if (content !== null && !isJsonObject(content)) {
    throw notValid(`: json: cannot unmarshal ${jsonTypeName(content)} into Go value of type storage.continueToken`)
  }
  const { v, rv, start, left } = asMembers(content)
  return { v: asText('v', v), rv: asInteger(rv), start: asText('start', start), left: asCount(left) }
}

function asText(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  throw notValid(wrongType(jsonTypeName(value), `${name} of type string`))
}

function asInteger(value: unknown): number {
  if (Number.isSafeInteger(value)) return Number(value)
  if (value === undefined || value === null) return 0
  const found = typeof value === 'number' ? `number ${value}` : jsonTypeName(value)
  throw notValid(wrongType(found, 'rv of type int64'))
}

function wrongType(found: string, wanted: string): string {
  return `: json: cannot unmarshal ${found} into Go struct field continueToken.${wanted}`
}

function asCount(value: unknown): number {
  return Number.isSafeInteger(value) ? Number(value) : -1
}
