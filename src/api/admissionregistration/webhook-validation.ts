import { type CompileEffort, compileEffort } from '../../cel/compile-effort.ts'
import { mostAdmissionSteps } from '../cel/admission-environment.ts'
import { checkOneOf } from '../core/field-checks.ts'
import { repeated } from '../core/repeated.ts'
import { duplicateField, type FieldError, invalidField, requiredField, tooManyField } from '../field-error.ts'
import { validateSubdomain } from '../names.ts'
import { validateLabelSelector } from '../selectors/label-selector-object.ts'
import type { MutatingWebhook, ValidatingWebhook } from '../types/admissionregistration-v1.ts'
import { compiledConditions, validateMatchConditions, webhookEnvironment } from './match-conditions.ts'
import { validateWebhookRules } from './rule-validation.ts'
import { validateWebhookClient } from './webhook-client-validation.ts'

type Webhook = ValidatingWebhook | MutatingWebhook

const maxTimeoutSeconds = 30
/** Of one configuration. */
const mostWebhooks = 100

export function validateWebhooks(field: string, webhooks: readonly Webhook[]): readonly FieldError[] {
  if (webhooks.length > mostWebhooks) return [tooManyField(field, webhooks.length, mostWebhooks)]
  const isTaken = repeated(webhooks.map(({ name }) => name))
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
    ...checkOneOf(`${field}.failurePolicy`, webhook.failurePolicy, ['Fail', 'Ignore']),
    ...checkOneOf(`${field}.matchPolicy`, webhook.matchPolicy, ['Equivalent', 'Exact']),
    ...validateSideEffects(`${field}.sideEffects`, webhook.sideEffects),
    ...(timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > maxTimeoutSeconds)
      ? [invalidField(`${field}.timeoutSeconds`, timeoutSeconds, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...(namespaceSelector === undefined ? [] : validateLabelSelector(`${field}.namespaceSelector`, namespaceSelector)),
    ...(objectSelector === undefined ? [] : validateLabelSelector(`${field}.objectSelector`, objectSelector)),
    ...validateWebhookClient(`${field}.clientConfig`, webhook.clientConfig),
    ...validateMatchConditions(`${field}.matchConditions`, matchConditions, conditions),
    ...validateReviewVersions(`${field}.admissionReviewVersions`, webhook.admissionReviewVersions ?? []),
  ]
}

function validateWebhookName(field: string, name: string): readonly FieldError[] {
  if (name === '') return [requiredField(field)]
  const problems = validateSubdomain(name).map((problem) => invalidField(field, name, problem))
  if (problems.length > 0 || name.split('.').length >= 3) return problems
  return [invalidField(field, name, 'should be a domain with at least three segments separated by dots')]
}

function validateSideEffects(field: string, sideEffects: string | undefined): readonly FieldError[] {
  if (sideEffects === undefined) return [requiredField(field, 'must specify one of None, NoneOnDryRun')]
  return checkOneOf(field, sideEffects, ['None', 'NoneOnDryRun'])
}

function validateReviewVersions(field: string, versions: readonly string[]): readonly FieldError[] {
  if (versions.length === 0) return [requiredField(field, 'must specify one of v1, v1beta1')]
  if (versions.some((version) => version === 'v1' || version === 'v1beta1')) return []
  return [invalidField(field, versions, 'must include at least one of v1, v1beta1')]
}
