import type { KeyUse } from '../../../auth/keys/contract.ts'
import { anything } from '../../../auth/keys/usage/fold-uses.ts'
import { targetText } from '../../../auth/keys/usage/target-text.ts'
import type { AuditRecord } from '../../../server/contract.ts'

const longestPart = 253
/** Long enough to recognize the text. */
const shownOfLonger = 20

const changes: ReadonlySet<string> = new Set(['update', 'patch'])
const created = 201

/**
 * The uses that a scope must grant for a request: a change that creates an object needs the right to create it, too.
 */
export function keyUsesOf(record: AuditRecord): readonly KeyUse[] {
  const makes = record.mayCreate === true || (changes.has(record.verb) && record.code === created)
  return makes ? [keyUseOf(record), keyUseOf({ ...record, verb: 'create' })] : [keyUseOf(record)]
}

/** A request, in the detail that the record of a key's uses keeps. */
export function keyUseOf({ verb, objectRef, path = '/', target }: AuditRecord): KeyUse {
  const place = target === undefined ? 'management' : targetText(target)
  if (objectRef === undefined) {
    return { verb, group: '', resource: '', namespace: '', name: '', path: recordedPath(path), target: place }
  }
  const { group, resource, subresource, namespace } = objectRef
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  const name = place === 'management' ? objectRef.name : ''
  return {
    verb,
    group: recordedName(group),
    resource: recordedName(whole),
    namespace: recordedName(namespace),
    name: recordedName(name),
    path: '',
    target: place,
  }
}

/** No object has such a long name: a request for it uses no object, and must not count as a use of all of them. */
function recordedName(text: string): string {
  return text.length > longestPart ? `${literal(text.slice(0, shownOfLonger))}…` : literal(text)
}

/**
 * A path that is too long is shortened below its first segment: shortened as a whole, it would stand for every path.
 */
function recordedPath(path: string): string {
  if (path.length <= longestPart) return literal(path)
  const [first = ''] = path.slice(1).split('/', 1)
  return `/${recordedName(first)}/${anything}`
}

function literal(text: string): string {
  return text.includes(anything) ? text.replaceAll(anything, '%2A') : text
}
