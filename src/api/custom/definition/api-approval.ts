import type { CustomResourceDefinition } from '../../types/apiextensions-v1.ts'
import { withCondition } from './definition-conditions.ts'

export const approvalAnnotation = 'api-approved.kubernetes.io'

const explained = 'see https://github.com/kubernetes/enhancements/pull/1111'
const wanted = `protected groups must have approval annotation "${approvalAnnotation}"`

/** Whether a definition may be in one of Kubernetes' own groups. */
export interface ApiApproval {
  readonly state: 'approved' | 'bypassed' | 'missing' | 'invalid'
  readonly message: string
}

/** Undefined for groups that are not protected. */
export function apiApproval({ metadata, spec }: CustomResourceDefinition): ApiApproval | undefined {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(spec.group)) return undefined
  const text = metadata.annotations?.[approvalAnnotation] ?? ''
  if (text === '') return { state: 'missing', message: `${wanted}, ${explained}` }
  if (text.startsWith('unapproved')) return { state: 'bypassed', message: `not approved: ${JSON.stringify(text)}` }
  if (isAddress(text)) return { state: 'approved', message: `approved in ${text}` }
  return {
    state: 'invalid',
    message: `${wanted} with either a URL or a reason starting with "unapproved", ${explained}`,
  }
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && new URL(text).host !== ''
}

const reasons: Readonly<Record<ApiApproval['state'], string>> = {
  approved: 'ApprovedAnnotation',
  bypassed: 'UnapprovedAnnotation',
  missing: 'MissingAnnotation',
  invalid: 'InvalidAnnotation',
}

export function withApproval(definition: CustomResourceDefinition, now: string): CustomResourceDefinition {
  const approval = apiApproval(definition)
  if (approval === undefined) return definition
  const { state, message } = approval
  const type = 'KubernetesAPIApprovalPolicyConformant'
  const status = state === 'approved' ? 'True' : 'False'
  return withCondition(definition, { type, status, reason: reasons[state], message }, now)
}
