import type { KubeObject } from '../../api/object.ts'
import type { ObjectFields, SyncKind, TakenOver, TextMap, Trouble, VirtualChange } from '../contract.ts'
import { backward } from './backward.ts'
import { own } from './merge.ts'
import type { KindRules } from './rules.ts'
import { travelingMaps } from './traveling.ts'
import type { TwoWay } from './two-way.ts'

export interface VirtualWrite {
  readonly change?: VirtualChange
  readonly trouble?: Trouble
}

/** The changes to the virtual object: labels and annotations that flow back, and what its kind adopts from the copy. */
export async function virtualWrite(
  before: KubeObject,
  copy: KubeObject,
  { virtual, maps }: Pick<TwoWay, 'virtual' | 'maps'>,
  rules: KindRules,
): Promise<VirtualWrite> {
  const { kind, setting } = rules
  if (kind.toVirtual === undefined) return changeOf(before, virtual, {}, kind)
  const seen = await backward(virtual, copy, maps, rules)
  if (!seen.ok) return { ...changeOf(before, virtual, {}, kind), trouble: seen.trouble }
  return changeOf(before, virtual, kind.toVirtual(seen.object, virtual, setting), kind)
}

/** What the virtual object adopts from its copy, without changing its labels and annotations. */
export function statusWrite(virtual: KubeObject, copy: KubeObject, rules: KindRules): Promise<VirtualWrite> {
  return virtualWrite(virtual, copy, { virtual, maps: travelingMaps(virtual, rules.kind) }, rules)
}

function changeOf(
  before: KubeObject,
  after: KubeObject,
  { binding, annotations, fields, status }: TakenOver,
  { sharesStatus }: SyncKind,
): VirtualWrite {
  if (binding !== undefined) return { change: { binding } }
  const metadata = withoutEmpty({
    labels: mapChange(before.metadata.labels ?? {}, after.metadata.labels ?? {}),
    annotations: { ...mapChange(before.metadata.annotations ?? {}, after.metadata.annotations ?? {}), ...annotations },
  })
  const body = withoutEmpty({ ...fields, metadata })
  const change: VirtualChange = {
    ...(isEmpty(body) ? {} : { body }),
    ...(status && { status: { status } }),
    ...(status && sharesStatus && { isStatusAtVersion: true }),
  }
  return isEmpty(change) ? {} : { change }
}

/** The merge patch that turns one map into another. */
function mapChange(before: TextMap, after: TextMap): ObjectFields {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = keys.filter((key) => own(before, key) !== own(after, key))
  return Object.fromEntries(changed.map((key) => [key, own(after, key) ?? null]))
}

function withoutEmpty(fields: Readonly<Record<string, unknown>>): ObjectFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
