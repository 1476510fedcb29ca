import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import { isJsonObject } from '../../base/json/member.ts'

/**
 * What is to be written, with its defaults. A template that an earlier version stored lacks those that came later. Filled in by a write that
 * changes nothing of it, they would replace every Pod that is made from it: controllers of others compare templates as they stand.
 */
export function defaultedChange(kind: Kind, sent: KubeObject, stored: KubeObject | undefined): KubeObject {
  const { defaults } = kind.strategy
  if (defaults === undefined) return sent
  const after = defaults(sent)
  if (kind.keepsTemplate !== true || stored === undefined) return after
  const template = templateOf(stored)
  if (template === undefined || deepEqual(templateOf(after), template)) return after
  const isAsStored = addsNothing(templateOf(sent), template)
  if (!isAsStored || !deepEqual(templateOf(after), templateOf(defaults(stored)))) return after
  return { ...after, spec: { ...specOf(after), template } }
}

/** Whether all that one value says stands in the other, too. */
function addsNothing(value: unknown, stored: unknown): boolean {
  if (value === undefined || value === null) return true
  if (Array.isArray(value)) {
    const items: readonly unknown[] = Array.isArray(stored) ? stored : []
    return value.length <= items.length && value.every((item, index) => addsNothing(item, items[index]))
  }
  if (!isJsonObject(value)) return value === stored
  const members = isJsonObject(stored) ? stored : {}
  return Object.entries(value).every(([name, member]) => addsNothing(member, members[name]))
}

function templateOf(object: KubeObject): unknown {
  return specOf(object).template
}

function specOf({ spec }: KubeObject): Readonly<Record<string, unknown>> {
  return isJsonObject(spec) ? spec : {}
}
