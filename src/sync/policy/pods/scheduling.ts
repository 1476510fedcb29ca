import { shown } from '../../../api/tenant-config/wording.ts'
import type { PodSpec, Toleration } from '../../../api/types/core-v1.ts'
import type { FieldContext, Refusal } from '../contract.ts'
import { heldPod, type JudgedPod, passedPod, podsAllowedWith } from './rule.ts'

/** Every Pod has these by default, for the time that a node may be unavailable. */
const ofEveryPod: ReadonlySet<string> = new Set(['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'])

/** The controller of DaemonSets gives these to every Pod that it makes. */
const ofDaemonSets: ReadonlySet<string> = new Set(
  ['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable', 'network-unavailable'].map(
    (condition) => `node.kubernetes.io/${condition}`,
  ),
)

/**
 * Dropping a toleration is safe, because it only keeps a Pod from nodes. A toleration without a key applies to all
 * taints.
 */
export function allowedTolerations(spec: PodSpec, { pods }: FieldContext): JudgedPod {
  const { tolerations: asked, ...rest } = spec
  if (asked === undefined) return passedPod(spec)
  const isAllowed = ({ key, effect }: Toleration) =>
    key !== undefined && ((ofEveryPod.has(key) && effect === 'NoExecute') || pods.tolerations.allowed.includes(key))
  const kept = asked.filter(isAllowed)
  const refusals = asked.flatMap((each, index): readonly Refusal[] => {
    if (isAllowed(each) || isOfDaemonSet(each)) return []
    const taint = each.key === undefined ? 'all taints' : `the taint ${shown(each.key)}`
    const remedy = podsAllowedWith('tolerations.allowed')
    return [
      { rule: 'tolerations', field: `spec.tolerations[${index}]`, reason: `${taint} may not be tolerated`, remedy },
    ]
  })
  return { spec: kept.length === 0 ? rest : { ...rest, tolerations: kept }, refusals }
}

/** Its owner did not write it, so a report would tell of nothing that the owner can change. */
function isOfDaemonSet({ key, effect, operator }: Toleration): boolean {
  return key !== undefined && ofDaemonSets.has(key) && effect === 'NoSchedule' && operator === 'Exists'
}

/** Every Pod must have the operator's node labels in its selector. */
export function requiredNodeSelector(spec: PodSpec, { pods }: FieldContext): JudgedPod {
  const required = Object.entries(pods.nodeSelector)
  const asked = spec.nodeSelector ?? {}
  const refusals = required.flatMap(([key, value]): readonly Refusal[] => {
    if (!Object.hasOwn(asked, key) || asked[key] === value) return []
    const field = `spec.nodeSelector[${JSON.stringify(key)}]`
    const reason = `Pods of this tenant run on nodes with the value ${shown(value)}`
    return [{ rule: 'nodeSelector', field, reason, remedy: 'policies.pods.nodeSelector in tenant.yaml requires it' }]
  })
  if (refusals.length > 0) return heldPod(spec, ...refusals)
  return passedPod(required.length === 0 ? spec : { ...spec, nodeSelector: { ...asked, ...pods.nodeSelector } })
}

/** A class of the virtual cluster has no meaning on the host, unless the operator maps it to one. */
export function hostPriorityClass(spec: PodSpec, { pods }: FieldContext): JudgedPod {
  const { priorityClassName: asked, ...rest } = spec
  if (!asked) return passedPod(rest)
  const mapped = Object.hasOwn(pods.priorityClasses, asked) ? pods.priorityClasses[asked] : undefined
  if (mapped !== undefined && !isOfSystem(mapped)) return passedPod({ ...rest, priorityClassName: mapped })
  const refusal: Refusal = {
    rule: 'priorityClasses',
    field: 'spec.priorityClassName',
    reason: `${shown(asked)} maps to no class of the host`,
    remedy: podsAllowedWith('priorityClasses'),
  }
  return { spec: rest, refusals: [refusal] }
}

/** Such Pods preempt those of the host itself. */
function isOfSystem(priorityClassName: string): boolean {
  return priorityClassName.startsWith('system-')
}

/** Without its class, a Pod may run in a weaker sandbox than its owner asked for. */
export function allowedRuntimeClass(spec: PodSpec, { pods }: FieldContext): JudgedPod {
  const { runtimeClassName: asked } = spec
  if (!asked || pods.runtimeClasses.allowed.includes(asked)) return passedPod(spec)
  return heldPod(spec, {
    rule: 'runtimeClasses',
    field: 'spec.runtimeClassName',
    reason: `the runtime class ${shown(asked)} may not be asked for`,
    remedy: podsAllowedWith('runtimeClasses.allowed'),
  })
}
