import { isJsonObject } from '../../base/json/member.ts'
import type { Kind } from '../kind.ts'
import { parseApiVersion } from '../object.ts'
import type { ParsedBody } from './contract.ts'
import { typeMetaAndMetadata } from './object.ts'

const mostComplaints = 100

/**
 * Warnings about a custom object whose version differs from that of its path, before it is refused: a version without a
 * schema knows none of its members.
 */
export function otherVersionComplaints({ group, version, kind, structure }: Kind, body: ParsedBody): readonly string[] {
  const { value } = body
  if (structure === undefined || !isJsonObject(value) || value.kind !== kind) return []
  if (typeof value.apiVersion !== 'string') return []
  const sent = parseApiVersion(value.apiVersion)
  if (sent.group !== group || sent.version === version) return []
  const unknown = Object.keys(value).filter((name) => !typeMetaAndMetadata.has(name))
  return unknown
    .sort()
    .slice(0, mostComplaints)
    .map((name) => `unknown field ${JSON.stringify(name)}`)
}
