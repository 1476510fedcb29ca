import { invalid } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Pod } from '../../../api/types/core-v1.ts'
import { deepEqual } from '../../../base/equal.ts'
import { type Admission, type AdmissionPlugin, isCore } from '../contract.ts'
import { podForbidden } from '../pods.ts'
import type { CheckedPod } from './check.ts'
import { existingPodWarnings } from './existing-pods.ts'
import { podTemplateOf } from './pod-template.ts'
import {
  checkPolicyLabels,
  isStricter,
  type Policy,
  podSecurityPrefix,
  policyText,
  securityPolicyOf,
  securityViolations,
} from './policy.ts'

/** Checks pods against the policy in the labels of their namespace, and warns about templates that would fail. */
export const podSecurity: AdmissionPlugin = {
  name: 'PodSecurity',
  handles: (kind) => isCore(kind, 'Pod') || isCore(kind, 'Namespace') || podTemplateOf(kind) !== undefined,
  inspect: (object, admission) => {
    if (isCore(admission.kind, 'Namespace')) return inspectNamespace(object, admission)
    if (isCore(admission.kind, 'Pod')) return inspectPod(object as Pod, admission)
    return inspectTemplate(object, admission)
  },
}

function inspectNamespace(namespace: KubeObject, admission: Admission): void {
  const { kind, old, request } = admission
  const { name = '', labels } = namespace.metadata
  const errors = checkPolicyLabels(labels)
  if (errors.length > 0) throw invalid(kind, name, errors)
  if (old === undefined) return
  const policy = securityPolicyOf(labels, 'enforce')
  if (!isStricter(policy, securityPolicyOf(old.metadata.labels, 'enforce'))) return
  for (const text of existingPodWarnings(admission, name, policy)) request.warn(text)
}

function inspectPod(pod: Pod, admission: Admission): void {
  if (!mayViolate(pod, admission.old as Pod | undefined)) return
  const labels = namespaceLabels(pod, admission)
  const enforced = securityPolicyOf(labels, 'enforce')
  admission.request.annotate?.(`${podSecurityPrefix}enforce-policy`, policyText(enforced))
  annotateViolations(pod, labels, admission)
  const problems = describedViolations(pod, enforced)
  if (problems !== undefined) throw podForbidden(pod, `violates PodSecurity ${problems}`)
  warn(pod, securityPolicyOf(labels, 'warn'), admission)
}

/** An existing pod was checked when it was created: only a new image or an ephemeral container requires another check. */
function mayViolate(pod: Pod, old: Pod | undefined): boolean {
  if (old === undefined || !deepEqual(imagesOf(pod), imagesOf(old))) return true
  return !deepEqual(pod.spec.ephemeralContainers ?? [], old.spec.ephemeralContainers ?? [])
}

function imagesOf({ spec: { containers, initContainers } }: Pod): readonly unknown[] {
  return [...(containers ?? []), ...(initContainers ?? [])].map(({ image }) => image)
}

/** Templates are never refused, since they may predate the strict policy. */
function inspectTemplate(object: KubeObject, admission: Admission): void {
  const template = podTemplateOf(admission.kind)?.(object)
  if (template === undefined) return
  const labels = namespaceLabels(object, admission)
  annotateViolations(template, labels, admission)
  warn(template, securityPolicyOf(labels, 'warn'), admission)
}

/** Records violations that the namespace audits but does not refuse. */
function annotateViolations(pod: CheckedPod, labels: Labels, { request: { annotate } }: Admission): void {
  const problems = annotate && describedViolations(pod, securityPolicyOf(labels, 'audit'))
  if (problems !== undefined)
    annotate?.(`${podSecurityPrefix}audit-violations`, `would violate PodSecurity ${problems}`)
}

function warn(pod: CheckedPod, policy: Policy, { request }: Admission): void {
  const problems = describedViolations(pod, policy)
  if (problems !== undefined) request.warn(`would violate PodSecurity ${problems}`)
}

function describedViolations(pod: CheckedPod, policy: Policy): string | undefined {
  const violations = securityViolations(pod, policy)
  if (violations.length === 0) return undefined
  return `"${policyText(policy)}": ${violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')}`
}

type Labels = Readonly<Record<string, string>> | undefined

function namespaceLabels({ metadata }: KubeObject, { engine }: Admission): Labels {
  return engine.find('', 'Namespace')?.cache.get({ namespace: '', name: metadata.namespace ?? '' })?.labels
}
