import type { Kind } from '../kind.ts'
import { validatingAdmissionPolicy } from './admission-policy.ts'
import { validatingAdmissionPolicyBinding } from './admission-policy-binding.ts'
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from './webhook-configuration.ts'

export function admissionregistrationKinds(): readonly Kind[] {
  return [
    mutatingWebhookConfiguration,
    validatingAdmissionPolicy,
    validatingAdmissionPolicyBinding,
    validatingWebhookConfiguration,
  ]
}
