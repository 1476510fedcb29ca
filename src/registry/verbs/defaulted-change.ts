import type { Kind } from '../../api/kind.ts'
import { type KubeObject, parseApiVersion } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import { asMembers, asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { ResourceContext } from '../context.ts'

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

/**
 * A new object with its defaults. A ReplicaSet with the template of its Deployment lacks what that lacks: a controller that compares them
 * as they stand would not know it for its own, and would make one after the other.
 */
export function defaultedNew(context: ResourceContext, sent: KubeObject): KubeObject {
  const { kind } = context
  const template = kind.keepsTemplate === true ? templateOfController(context, sent) : undefined
  const stored = template === undefined ? undefined : { ...sent, spec: { ...specOf(sent), template } }
  return defaultedChange(kind, sent, stored)
}

/** With the labels that were sent, of which one tells the ReplicaSets of a Deployment apart. */
function templateOfController({ engine }: ResourceContext, sent: KubeObject): unknown {
  const { namespace = '', ownerReferences } = sent.metadata
  const reference = ownerReferences?.find(({ controller }) => controller === true)
  if (reference === undefined) return undefined
  const { apiVersion, kind, name, uid } = reference
  const owners = engine.find(parseApiVersion(asText(apiVersion)).group, asText(kind))
  const owner = owners?.kind.keepsTemplate === true ? owners.cache.get({ namespace, name })?.object : undefined
  if (owner === undefined || owner.metadata.uid !== uid) return undefined
  const template = asMembers(templateOf(owner))
  const { labels } = asMembers(asMembers(templateOf(sent)).metadata)
  return { ...template, metadata: { ...asMembers(template.metadata), labels } }
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
