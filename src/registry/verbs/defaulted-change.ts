import type { Kind } from '../../api/kind.ts'
import { type KubeObject, parseApiVersion } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import { asMembers, asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { ResourceContext } from '../context.ts'

/**
 * The object to be written, with its defaults. A template stored by an earlier version lacks newer defaults. If a write
 * that does not change the template filled them in, every Pod made from it would be replaced: controllers of others
 * compare templates literally.
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
 * A new object with its defaults. A ReplicaSet with the template of its Deployment must lack the same defaults: a
 * controller that compares templates literally would not recognize it, and would create one after the other.
 */
export function defaultedNew(context: ResourceContext, sent: KubeObject): KubeObject {
  const { kind } = context
  const template = kind.keepsTemplate === true ? templateOfController(context, sent) : undefined
  const stored = template === undefined ? undefined : { ...sent, spec: { ...specOf(sent), template } }
  return defaultedChange(kind, sent, stored)
}

/** With the labels that were sent, one of which distinguishes the ReplicaSets of a Deployment. */
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

/** Whether everything in one value is also in the other. */
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
