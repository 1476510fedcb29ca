import { type CelProgram, compileCel } from '../../cel/compile.ts'
import { type CompileEffort, compileEffort, EffortSpent } from '../../cel/compile-effort.ts'
import { type CelVariable, withVariables } from '../../cel/environment.ts'
import {
  boolType,
  type CelType,
  dynType,
  isSameType,
  listType,
  mapType,
  printType,
  stringType,
  structType,
} from '../../cel/type.ts'
import { kubernetesEnvironment, mostMatchCost } from '../cel/environment.ts'
import { jsonCelValue } from '../cel/json-value.ts'
import { repeated } from '../core/repeated.ts'
import { duplicateField, type FieldError, invalidField, requiredField, tooManyField } from '../field-error.ts'
import { validateQualifiedName } from '../names.ts'
import type { MatchCondition } from '../types/admissionregistration-v1.ts'

const mostConditions = 64
/** For the conditions of one webhook. */
const mostSteps = 100_000

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
const requestType = structType(
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
])
const environment = withVariables(kubernetesEnvironment, variables)

/** What conditions are asked about: JSON, null where there is none. */
export interface MatchSubject {
  readonly object: unknown
  readonly oldObject: unknown
  readonly request: unknown
}

/** `problem`: no condition says no, and one cannot be evaluated. */
export type MatchOutcome = { readonly isMatch: boolean } | { readonly problem: string }

export type MatchConditions = (subject: MatchSubject) => MatchOutcome

export function validateMatchConditions(field: string, conditions: readonly MatchCondition[]): readonly FieldError[] {
  if (conditions.length > mostConditions) return [tooManyField(field, conditions.length, mostConditions)]
  const isTaken = repeated(conditions.map(({ name }) => name))
  const effort = compileEffort(mostSteps)
  return conditions.flatMap(({ name, expression }, index) => [
    ...validateExpression(`${field}[${index}].expression`, expression, effort),
    ...validateConditionName(`${field}[${index}].name`, name),
    ...(isTaken[index] ? [duplicateField(`${field}[${index}].name`, name)] : []),
  ])
}

function validateExpression(field: string, expression: string, effort: CompileEffort): readonly FieldError[] {
  if (expression.trim() === '') return [requiredField(field)]
  const compiled = compiledCondition(expression, effort)
  return 'problem' in compiled ? [invalidField(field, expression, compiled.problem)] : []
}

function validateConditionName(field: string, name: string): readonly FieldError[] {
  if (name === '') return [requiredField(field)]
  return validateQualifiedName(name).map((problem) => invalidField(field, name, problem))
}

/** Of conditions that were validated. One that can no longer be compiled is a problem of every request. */
export function compileMatchConditions(conditions: readonly MatchCondition[]): MatchConditions {
  const effort = compileEffort(mostSteps)
  const compiled = conditions.map(({ expression }) => ({ expression, program: compiledCondition(expression, effort) }))
  return (subject) => {
    const values = {
      object: jsonCelValue(subject.object),
      oldObject: jsonCelValue(subject.oldObject),
      request: jsonCelValue(subject.request),
    }
    let left = mostMatchCost
    let problem: string | undefined
    for (const { expression, program } of compiled) {
      if ('problem' in program) return { problem: program.problem }
      const outcome = program.evaluate(values, left)
      left -= outcome.cost
      if ('value' in outcome && outcome.value === false) return { isMatch: false }
      if ('problem' in outcome) problem ??= `expression '${expression}' resulted in error: ${outcome.problem}`
    }
    return problem === undefined ? { isMatch: true } : { problem }
  }
}

function compiledCondition(expression: string, effort: CompileEffort): CelProgram | { readonly problem: string } {
  try {
    const program = compileCel(expression, environment, effort)
    if ('problem' in program) return { problem: `compilation failed: ${program.problem}` }
    if (isSameType(program.resultType, boolType)) return program
    return { problem: `must evaluate to bool but got ${printType(program.resultType)}` }
  } catch (error) {
    if (error instanceof EffortSpent) return { problem: error.message }
    throw error
  }
}
