import type { KubeObject } from '../../api/object.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { emptySet, type FieldSet } from './field-set.ts'
import { memberElement } from './path-element.ts'

/**
 * Lists that were sent empty, where the object shows a null: as in Kubernetes, their sender owns them all the same.
 * Undefined if there are none.
 */
export function emptiedLists(sent: KubeObject, after: KubeObject): FieldSet | undefined {
  const own = emptiedMembers(sent, after)
  const inSpec = isJsonObject(sent.spec) && isJsonObject(after.spec) ? emptiedMembers(sent.spec, after.spec) : []
  if (own.length === 0 && inSpec.length === 0) return undefined
  const below = inSpec.length === 0 ? [] : [[memberElement('spec'), Object.fromEntries(inSpec)] as const]
  return Object.fromEntries<FieldSet>([...own, ...below])
}

type Members = Readonly<Record<string, unknown>>

function emptiedMembers(sent: Members, after: Members): readonly (readonly [string, FieldSet])[] {
  return Object.keys(sent).flatMap((name) => {
    const value = sent[name]
    return Array.isArray(value) && value.length === 0 && after[name] === null
      ? [[memberElement(name), emptySet] as const]
      : []
  })
}
