import { asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { type ApiError, badRequest, invalid } from '../error.ts'
import { invalidField } from '../field-error.ts'
import type { Kind } from '../kind.ts'
import { apiVersionOf, parseApiVersion } from '../object.ts'
import type { ParsedBody } from './contract.ts'
import { goDecoderValue } from './go-words.ts'
import { isKnownToKubernetes, isOfKubernetes } from './registered-kinds.ts'
import { cannotBeHandled } from './strict.ts'

const typeMetaStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
const shownLength = 30
/** Source locations that appear in messages of Kubernetes. */
const scheme = '"pkg/api/legacyscheme/scheme.go:30"'
const schemeOfDefinitions = '"k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:53"'

const groupOfDefinitions = 'apiextensions.k8s.io'

/** The apiVersion and kind of a body; empty if absent. */
export interface TypeMeta {
  readonly apiVersion: string
  readonly kind: string
}

/** Refuses the result of a patch. Absent: the body was sent as it is. */
export type RefusePatched = (reason: string) => ApiError

/** The members of a body, and its apiVersion and kind. Throws if the body is not an object. */
export function readTypeMeta(
  kind: Kind,
  body: ParsedBody,
  refusePatched?: RefusePatched,
): { meta: TypeMeta; members: Record<string, unknown> } {
  if (body.value === null) return { meta: { apiVersion: '', kind: '' }, members: {} }
  const refuse = (found: unknown, target: string): ApiError => {
    const reason = `json: cannot unmarshal ${goDecoderValue(found)} into Go ${target}`
    return refusePatched?.(`${unread}${reason}`) ?? noTypeMeta(kind, reason, body.text)
  }
  if (!isJsonObject(body.value)) throw refuse(body.value, `value of type ${typeMetaStruct}`)
  const members = body.value
  const word = (name: 'apiVersion' | 'kind'): string => {
    const value = Object.hasOwn(members, name) ? members[name] : undefined
    if (value === undefined || value === null) return ''
    if (typeof value === 'string') return value
    throw refuse(value, `struct field .${name} of type string`)
  }
  return { meta: { apiVersion: word('apiVersion'), kind: word('kind') }, members }
}

const unread = "couldn't get version/kind; json parse error: "

/** Builtin kinds fill in what is absent; custom kinds require both. */
export function checkTypeMeta(kind: Kind, meta: TypeMeta, body: ParsedBody, refusePatched?: RefusePatched): void {
  if (kind.flavor === 'builtin') checkBuiltin(kind, meta, body, refusePatched)
  else checkCustom(kind, meta, body)
}

function checkBuiltin(kind: Kind, meta: TypeMeta, body: ParsedBody, refusePatched?: RefusePatched): void {
  const expected = apiVersionOf(kind)
  const apiVersion = meta.apiVersion === '' || meta.apiVersion === '/' ? expected : meta.apiVersion
  const sentKind = meta.kind === '' ? kind.kind : meta.kind
  if (apiVersion === expected && sentKind === kind.kind) return
  if (apiVersion.split('/').length > 2) {
    const reason = `unexpected GroupVersion string: ${apiVersion}`
    throw refusePatched?.(reason) ?? unrecognized(kind, reason, body.text)
  }
  const { version } = parseApiVersion(apiVersion)
  const refuse = refusePatched ?? ((reason: string) => cannotBeHandled({ kind: kind.kind, version }, sentKind, reason))
  const isForeign = isOfKubernetes(kind.group) || kind.group === groupOfDefinitions
  if (isForeign && !isKnownTo(kind.group, apiVersion, sentKind))
    throw refuse(notRegistered(kind.group, apiVersion, sentKind))
  if (apiVersion !== expected && (!isForeign || sentKind === kind.kind)) throw otherVersion(apiVersion, expected)
  const packageName = kind.group === '' ? 'core' : kind.group.split('.')[0]
  throw refuse(`converting (${version}.${sentKind}) to (${packageName}.${kind.kind}): unknown conversion`)
}

/** A separate server reads definitions, which knows them and what every server knows. */
function isKnownTo(group: string, apiVersion: string, kind: string): boolean {
  if (group !== groupOfDefinitions) return isKnownToKubernetes(apiVersion, kind)
  if (parseApiVersion(apiVersion).group === groupOfDefinitions) return kind.startsWith('CustomResourceDefinition')
  return apiVersion === 'v1' && (kind === 'Status' || kind === 'DeleteOptions')
}

function checkCustom(kind: Kind, meta: TypeMeta, body: ParsedBody): void {
  if (meta.kind === '') throw unrecognized(kind, `Object 'Kind' is missing in '${body.text}'`, body.text)
  const expected = apiVersionOf(kind)
  if (meta.apiVersion !== expected) throw otherVersion(meta.apiVersion, expected)
  if (meta.kind === kind.kind) return
  const error = invalidField('kind', meta.kind, `must be ${kind.kind}`)
  throw invalid({ kind: meta.kind, group: parseApiVersion(meta.apiVersion).group }, sentName(body.value), [error])
}

function sentName(value: unknown): string {
  const metadata = isJsonObject(value) ? value.metadata : undefined
  return asText(isJsonObject(metadata) ? metadata.name : undefined)
}

function notRegistered(group: string, apiVersion: string, sentKind: string): string {
  const place = group === groupOfDefinitions ? schemeOfDefinitions : scheme
  return `no kind ${JSON.stringify(sentKind)} is registered for version ${JSON.stringify(apiVersion)} in scheme ${place}`
}

function otherVersion(sent: string, expected: string): ApiError {
  return badRequest(`the API version in the data (${sent}) does not match the expected API version (${expected})`)
}

export function noTypeMeta(kind: { readonly kind: string }, reason: string, text: string): ApiError {
  return unrecognized(kind, `${unread}${reason}`, text)
}

export function unrecognized(kind: { readonly kind: string }, reason: string, text: string): ApiError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${reason} (${summary(text)})`)
}

/** The beginning of a body: as text if it looks like JSON, otherwise in hexadecimal. */
function summary(text: string): string {
  if (text === '') return '<empty>'
  const bytes = new TextEncoder().encode(text.slice(0, shownLength + 1))
  const shown = bytes.subarray(0, shownLength)
  const more = bytes.length > shownLength ? ' ...' : ''
  return text.startsWith('{') ? `${new TextDecoder().decode(shown)}${more}` : `${hex(shown)}${more}`
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
