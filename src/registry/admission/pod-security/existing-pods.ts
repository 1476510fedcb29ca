import type { Pod } from '../../../api/types/core-v1.ts'
import { documentsIn } from '../../documents-in.ts'
import type { Admission } from '../contract.ts'
import { type Policy, policyText, securityViolations } from './policy.ts'

/** How many pods are checked when a namespace gets a stricter policy. */
const maxPods = 3_000
/** The total size of those pods. A usual Pod takes 5 KB. */
const maxBytes = 4 * 1024 * 1024

/** Warnings about existing pods that the policy would refuse now. */
export function existingPodWarnings({ engine }: Admission, namespace: string, policy: Policy): readonly string[] {
  const pods = engine.find('', 'Pod')
  if (pods === undefined) return []
  const byReasons = new Map<string, string[]>()
  let bytes = 0
  for (const document of documentsIn(pods, namespace).slice(0, maxPods)) {
    bytes += document.bytes
    if (bytes > maxBytes) break
    const { name, object } = document
    const reasons = securityViolations(object as Pod, policy).map(({ reason }) => reason)
    if (reasons.length === 0) continue
    const text = reasons.join(', ')
    byReasons.set(text, [...(byReasons.get(text) ?? []), name])
  }
  if (byReasons.size === 0) return []
  const title = `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${policyText(policy)}"`
  return [title, ...[...byReasons].map(([reasons, names]) => `${groupName(names)}: ${reasons}`).sort()]
}

function groupName([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first
  return `${first} (and ${others.length} other ${others.length === 1 ? 'pod' : 'pods'})`
}
