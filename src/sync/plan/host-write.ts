import type { KubeObject } from '../../api/object.ts'
import { nameOf } from '../names/names.ts'
import { copyMaps } from './copy.ts'
import { fieldsOf, fieldsOver, holdsWanted } from './fields.ts'
import { valueHash } from './hash.ts'
import { type LastSync, readLastSync } from './last-sync.ts'
import { sameMap } from './merge.ts'
import type { KindRules } from './rules.ts'
import type { TwoWay } from './two-way.ts'

/** The server's form of fields that it does not return as written. */
export interface AcceptedFields {
  readonly written: string
  readonly shown: string
}

/** The copy as it should be, with everything that belongs to the host; undefined if it is up to date. */
export function hostWrite(
  copy: KubeObject,
  { virtual, wanted, maps, memory }: TwoWay,
  rules: KindRules,
  accepted: AcceptedFields | undefined,
): KubeObject | undefined {
  const { kind } = rules
  const { labels = {}, annotations = {} } = copy.metadata
  const metadata = copyMaps(virtual, nameOf(copy), maps, memory, rules, copy)
  const isSameMetadata = sameMap(labels, metadata.labels) && sameMap(annotations, metadata.annotations)
  const isHeld =
    kind.changeable !== undefined || holdsWanted(copy, wanted.fields, kind) || isAccepted(copy, memory, accepted)
  const isWritten = isHeld && readLastSync(copy).fields === memory.fields
  if (isWritten && isSameMetadata) return undefined
  const fields = isWritten ? {} : fieldsOver(copy, wanted.fields, kind)
  return { ...copy, ...fields, metadata: { ...copy.metadata, ...metadata } }
}

function isAccepted(copy: KubeObject, memory: LastSync, accepted: AcceptedFields | undefined): boolean {
  return accepted !== undefined && accepted.written === memory.fields && accepted.shown === valueHash(fieldsOf(copy))
}
