import { type CompileEffort, compileEffort } from '../../cel/compile-effort.ts'
import { mostAdmissionSteps } from '../cel/admission-environment.ts'
import { checkSupported } from '../core/field-checks.ts'
import { repeated } from '../core/repeated.ts'
import { duplicateField, type FieldError, invalidField, requiredField, tooManyField } from '../field-error.ts'
import { validateSubdomain } from '../names.ts'
import { validateLabelSelector } from '../selectors/label-selector-object.ts'
import type { MutatingWebhook, ValidatingWebhook } from '../types/admissionregistration-v1.ts'
import { compiledConditions, validateMatchConditions, webhookEnvironment } from './match-conditions.ts'
import { failurePolicies, matchPolicies } from './match-resources.ts'
import { validateReviewVersions } from './review-versions.ts'
import { validateWebhookRules } from './rule-validation.ts'
import { validateWebhookClient } from './webhook-client-validation.ts'

type Webhook = ValidatingWebhook | MutatingWebhook

const maxTimeoutSeconds = 30
/** Per configuration. */
const mostWebhooks = 100
const reinvocationPolicies = ['IfNeeded', 'Never']

export function validateWebhooks(field: string, webhooks: readonly Webhook[]): readonly FieldError[] {
  if (webhooks.length > mostWebhooks) return [tooManyField(field, webhooks.length, mostWebhooks)]
  const isTaken = repeated(webhooks.map(({ name }) => name || undefined))
  const effort = compileEffort(mostAdmissionSteps)
  return webhooks.flatMap((webhook, index) => [
    ...validateWebhook(`${field}[${index}]`, webhook, effort),
    ...(isTaken[index] ? [duplicateField(`${field}[${index}].name`, webhook.name)] : []),
  ])
}

function validateWebhook(field: string, webhook: Webhook, effort: CompileEffort): readonly FieldError[] {
  const { timeoutSeconds, namespaceSelector, objectSelector, matchConditions = [] } = webhook
  const conditions = compiledConditions(matchConditions, webhookEnvironment, effort)
  return [
    ...validateWebhookName(`${field}.name`, webhook.name),
    ...validateWebhookRules(`${field}.rules`, webhook.rules ?? []),
    ...checkSupported(`${field}.failurePolicy`, webhook.failurePolicy, failurePolicies),
    ...checkSupported(`${field}.matchPolicy`, webhook.matchPolicy, matchPolicies),
    ...validateSideEffects(`${field}.sideEffects`, webhook.sideEffects),
    ...(timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > maxTimeoutSeconds)
      ? [invalidField(`${field}.timeoutSeconds`, timeoutSeconds, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...(namespaceSelector === undefined ? [] : validateLabelSelector(`${field}.namespaceSelector`, namespaceSelector)),
    ...(objectSelector === undefined ? [] : validateLabelSelector(`${field}.objectSelector`, objectSelector)),
    ...('reinvocationPolicy' in webhook
      ? checkSupported(`${field}.reinvocationPolicy`, webhook.reinvocationPolicy, reinvocationPolicies)
      : []),
    ...validateWebhookClient(`${field}.clientConfig`, webhook.clientConfig),
    ...validateMatchConditions(`${field}.matchConditions`, matchConditions, conditions),
    ...validateReviewVersions(`${field}.admissionReviewVersions`, webhook.admissionReviewVersions ?? [], {
      ifNone: 'must specify one of v1, v1beta1',
    }),
  ]
}

function validateWebhookName(field: string, name: string): readonly FieldError[] {
  if (name === '') return [requiredField(field)]
  const problems = validateSubdomain(name)
  if (problems.length > 0) return [invalidField(field, name, problems.join(','))]
  if (name.split('.').length >= 3) return []
  return [invalidField(field, name, 'should be a domain with at least three segments separated by dots')]
}

function validateSideEffects(field: string, sideEffects: string | undefined): readonly FieldError[] {
  if (sideEffects === undefined) return [requiredField(field, 'must specify one of None, NoneOnDryRun')]
  return checkSupported(field, sideEffects, ['None', 'NoneOnDryRun'])
}
