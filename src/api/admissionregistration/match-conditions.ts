import type { Steps } from '../../base/steps.ts'
import { type CompileEffort, compileEffort } from '../../cel/compile-effort.ts'
import { type CelEnvironment, type CelVariable, withVariables } from '../../cel/environment.ts'
import { mostWork } from '../../cel/meter.ts'
import { boolType, type CelType, dynType, listType, mapType, stringType, structType } from '../../cel/type.ts'
import { mostAdmissionSteps } from '../cel/admission-environment.ts'
import { CelAllowance, type CelVariables } from '../cel/allowance.ts'
import { authorizerType, resourceCheckType } from '../cel/authorizer.ts'
import { kubernetesEnvironment, mostMatchCost } from '../cel/environment.ts'
import { type CelExpression, compiledExpression, newExpressionErrors } from '../cel/expression.ts'
import { jsonCelValue } from '../cel/json-value.ts'
import { repeated } from '../core/repeated.ts'
import { duplicateField, type FieldError, invalidField, requiredField, tooManyField } from '../field-error.ts'
import { validateQualifiedName } from '../names.ts'
import type { MatchCondition } from '../types/admissionregistration-v1.ts'

const mostConditions = 64

const fields = (types: Readonly<Record<string, CelType>>) => new Map(Object.entries(types))
const kindType = structType(
  'kubernetes.GroupVersionKind',
  fields({ group: stringType, version: stringType, kind: stringType }),
)
const resourceType = structType(
  'kubernetes.GroupVersionResource',
  fields({ group: stringType, version: stringType, resource: stringType }),
)
const userType = structType(
  'kubernetes.UserInfo',
  fields({
    username: stringType,
    uid: stringType,
    groups: listType(stringType),
    extra: mapType(stringType, listType(stringType)),
  }),
)
/** How expressions see a request. */
export const requestType = structType(
  'kubernetes.AdmissionRequest',
  fields({
    kind: kindType,
    resource: resourceType,
    subResource: stringType,
    requestKind: kindType,
    requestResource: resourceType,
    requestSubResource: stringType,
    name: stringType,
    namespace: stringType,
    operation: stringType,
    userInfo: userType,
    dryRun: boolType,
    options: dynType,
  }),
)

const variables: ReadonlyMap<string, CelVariable> = new Map([
  ['object', { type: dynType }],
  ['oldObject', { type: dynType }],
  ['request', { type: requestType }],
  ['authorizer', { type: authorizerType }],
  ['authorizer.requestResource', { type: resourceCheckType }],
])
/** What the conditions of webhooks may refer to. */
export const webhookEnvironment: CelEnvironment = withVariables(kubernetesEnvironment, variables)

/** What conditions are about: JSON values, null if absent, and whom they may ask about rights. */
export interface MatchSubject {
  readonly object: unknown
  readonly oldObject: unknown
  readonly request: unknown
  readonly authorizers: CelVariables
}

/** `problem`: no condition is false, and some cannot be evaluated. */
export type MatchOutcome = { readonly isMatch: boolean } | { readonly problem: string }

export type MatchConditions = (subject: MatchSubject) => Steps<MatchOutcome>

/** `compiled`: the same conditions, compiled by `compiledConditions`. */
export function validateMatchConditions(
  field: string,
  conditions: readonly MatchCondition[],
  compiled: readonly CelExpression[],
): readonly FieldError[] {
  if (conditions.length > mostConditions) return [tooManyField(field, conditions.length, mostConditions)]
  const isTaken = repeated(conditions.map(({ name }) => name))
  return conditions.flatMap(({ name }, index) => [
    ...validateExpression(`${field}[${index}].expression`, compiled[index]),
    ...validateConditionName(`${field}[${index}].name`, name),
    ...(isTaken[index] ? [duplicateField(`${field}[${index}].name`, name)] : []),
  ])
}

function validateExpression(field: string, compiled: CelExpression | undefined): readonly FieldError[] {
  if (compiled === undefined || compiled.text.trim() === '') return [requiredField(field)]
  return newExpressionErrors(field, compiled)
}

function validateConditionName(field: string, name: string): readonly FieldError[] {
  if (name === '') return [requiredField(field)]
  return validateQualifiedName(name).map((problem) => invalidField(field, name, problem))
}

/** `effort`: how much compilation is still allowed, in total. */
export function compiledConditions(
  conditions: readonly MatchCondition[],
  environment: CelEnvironment,
  effort: CompileEffort,
): readonly CelExpression[] {
  return conditions.map(({ expression }) => compiledExpression(expression, environment, effort, [boolType]))
}

/** For validated conditions. One that can no longer be compiled is a problem for every request. */
export function compileMatchConditions(conditions: readonly MatchCondition[]): MatchConditions {
  const effort = compileEffort(mostAdmissionSteps)
  const compiled = compiledConditions(conditions, webhookEnvironment, effort)
  return ({ object, oldObject, request, authorizers }) =>
    evaluateConditions(compiled, {
      ...authorizers,
      object: jsonCelValue(object),
      oldObject: jsonCelValue(oldObject),
      request: jsonCelValue(request),
    })
}

/** Yields after each condition. A false condition decides, whatever the others return. */
export function* evaluateConditions(
  conditions: readonly CelExpression[],
  variables: CelVariables,
): Steps<MatchOutcome> {
  const allowance = new CelAllowance(mostMatchCost, mostWork)
  const problems = new Set<string>()
  for (const condition of conditions) {
    const outcome = allowance.evaluate(condition, variables)
    yield
    if ('problem' in outcome) problems.add(`expression '${condition.text}' resulted in error: ${outcome.problem}`)
    else if (outcome.value !== true) return { isMatch: false }
  }
  return problems.size === 0 ? { isMatch: true } : { problem: listed([...problems]) }
}

function listed(problems: readonly string[]): string {
  return problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`
}
