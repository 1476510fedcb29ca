import { shown } from '../../../api/tenant-config/wording.ts'
import type { Pod, PodSpec } from '../../../api/types/core-v1.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import { isLevel, securityViolations } from '../../../registry/admission/pod-security/policy.ts'
import { namedIn } from '../../kinds/pods/pod-spec.ts'
import { canBeNamed } from '../../kinds/pods/renaming.ts'
import type { FieldContext, FieldRule, Refusal } from '../contract.ts'
import { judgedDebuggers } from './debuggers.ts'
import { gracePeriod } from './grace.ts'
import { knownFields } from './known-fields.ts'
import { podSpecFields } from './pod-fields.ts'
import { heldPod, type JudgedPod, type PodFieldRule, passedPod } from './rule.ts'
import { allowedRuntimeClass, allowedTolerations, hostPriorityClass, requiredNodeSelector } from './scheduling.ts'
import { volumeDrivers } from './volume-drivers.ts'

/** Each rule checks the result of the previous one; the result of the last is sent. */
const podRules: readonly PodFieldRule[] = [
  possibleNames,
  gracePeriod,
  ownVolumes,
  volumeDrivers,
  operatingSystem,
  userNamespace,
  allowedTolerations,
  requiredNodeSelector,
  hostPriorityClass,
  allowedRuntimeClass,
  securityLevel,
]

/** Applied to each ephemeral container separately, once its Pod has passed the rules above. */
const debuggerRules: readonly PodFieldRule[] = [possibleNames, namedObjects, securityLevel]

/** The spec of a Pod is rebuilt from known fields, and each of them is checked. */
export const podsRule: FieldRule = ({ spec }, context) => {
  if (!isJsonObject(spec)) return { fields: {}, refusals: [noSpec], isHeld: true }
  const { ephemeralContainers, ...lasting } = spec
  const known = knownFields(lasting, podSpecFields, 'spec')
  let judged: JudgedPod = {
    spec: known.fields as unknown as PodSpec,
    refusals: known.problems.map(({ field, reason }) => ({ rule: 'podFields', field, reason, remedy: leaveItOut })),
    isHeld: known.problems.some(({ isHeld }) => isHeld),
  }
  for (const rule of podRules) judged = both(judged, rule(judged.spec, context))
  const { spec: passed, refusals, isHeld = false } = judged
  const alone = { ...context, annotations: {} }
  const judge = (one: PodSpec) => debuggerRules.map((rule) => rule(one, alone)).flatMap((each) => each.refusals)
  const debuggers = judgedDebuggers(ephemeralContainers, passed, judge)
  return {
    fields: { spec: { ...passed, ...debuggers.fields } },
    refusals: [...refusals, ...debuggers.refusals],
    isHeld,
  }
}

const leaveItOut = 'a Pod without it is carried'

const noSpec: Refusal = { rule: 'podFields', field: 'spec', reason: 'it is missing', remedy: 'a Pod needs one' }

function both(before: JudgedPod, after: JudgedPod): JudgedPod {
  return {
    spec: after.spec,
    refusals: [...before.refusals, ...after.refusals],
    isHeld: before.isHeld === true || after.isHeld === true,
  }
}

/** A name that no object of the virtual cluster can have would refer to something else on the host. */
function possibleNames(spec: PodSpec): JudgedPod {
  const impossible = namedIn(podWith(spec)).filter(({ name }) => !canBeNamed(name))
  return heldPod(
    spec,
    ...impossible.map(({ kind, name }): Refusal => {
      const reason = `no ${kind} can be called ${shown(name)}`
      return { rule: 'podFields', field: 'spec', reason, remedy: 'name one that can be' }
    }),
  )
}

function podWith(spec: PodSpec): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec, status: {} }
}

/**
 * If namespaces are synced, names are kept, so a Pod could name objects that others put into such a namespace. A new
 * Pod waits until everything it names is a copy of the tenant's; a running one waits for nothing.
 */
function namedObjects(spec: PodSpec, { setting, companions }: FieldContext): JudgedPod {
  if (!setting.names.multiNamespace) return passedPod(spec)
  const named = namedIn(podWith(spec)).filter(({ name }) => !companions.includes(name))
  return heldPod(
    spec,
    ...named.map(({ kind, name }): Refusal => {
      const reason = `the ${kind} ${shown(name)} of the host could be meant, since names stay where namespaces are synced`
      return { rule: 'podFields', field: 'spec', reason, remedy: leaveItOut }
    }),
  )
}

/**
 * The tenant's own server may return a Pod that mounts volumes it does not define, and volumes that the host adds may
 * contain credentials of the host.
 */
function ownVolumes(spec: PodSpec): JudgedPod {
  const volumes = new Set((spec.volumes ?? []).map(({ name }) => name))
  const refusals = (['initContainers', 'containers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ volumeMounts, volumeDevices }, index): readonly Refusal[] =>
      [...(volumeMounts ?? []), ...(volumeDevices ?? [])].flatMap(({ name }) => {
        if (volumes.has(name)) return []
        const reason = `the Pod has no volume ${shown(String(name))}`
        return [{ rule: 'podFields', field: `spec.${list}[${index}]`, reason, remedy: leaveItOut }]
      }),
    ),
  )
  return heldPod(spec, ...refusals)
}

/** The Pod Security Standards skip most checks for other operating systems. */
function operatingSystem(spec: PodSpec): JudgedPod {
  if (spec.os === undefined || spec.os.name === 'linux') return passedPod(spec)
  const reason = `Pods of tenants run on Linux and not on ${shown(String(spec.os.name))}`
  return heldPod(spec, { rule: 'podFields', field: 'spec.os', reason, remedy: leaveItOut })
}

/**
 * A user namespace protects the node from a Pod; without one, a Pod has the users of the node, which is the default.
 */
function userNamespace(spec: PodSpec): JudgedPod {
  if (spec.hostUsers !== true) return passedPod(spec)
  const reason = 'it belongs to the node and not to the Pod'
  return heldPod(spec, { rule: 'podFields', field: 'spec.hostUsers', reason, remedy: leaveItOut })
}

/** Applies whatever the namespace's labels in the virtual cluster say. */
function securityLevel(spec: PodSpec, { pods, annotations }: FieldContext): JudgedPod {
  const level = isLevel(pods.security) ? pods.security : 'restricted'
  const violations = securityViolations({ metadata: { annotations }, spec }, { level, version: 'latest' })
  return heldPod(
    spec,
    ...violations.map(({ reason, detail }): Refusal => {
      const remedy = `policies.pods.security in tenant.yaml is ${level}`
      return { rule: 'security', field: 'spec', reason: `${reason} (${detail})`, remedy }
    }),
  )
}
