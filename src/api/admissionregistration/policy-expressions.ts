import { type CompileEffort, compileEffort } from '../../cel/compile-effort.ts'
import { type CelEnvironment, withVariables } from '../../cel/environment.ts'
import { boolType, type CelType, dynType, nullType, stringType, structType } from '../../cel/type.ts'
import {
  messageEnvironment,
  mostAdmissionSteps,
  policyEnvironment,
  storedPolicyEnvironment,
} from '../cel/admission-environment.ts'
import { type CelExpression, compiledExpression } from '../cel/expression.ts'
import type { ValidatingAdmissionPolicySpec, Validation, Variable } from '../types/admissionregistration-v1.ts'
import { compiledConditions, requestType } from './match-conditions.ts'

/** Each value is kept while the policy is evaluated. */
export const mostPolicyVariables = 100

export interface PolicyExpressions {
  readonly conditions: readonly CelExpression[]
  /** By name, in the order in which they are written: each may refer to those before it. */
  readonly variables: ReadonlyMap<string, CelExpression>
  readonly validations: readonly PolicyValidation[]
  /** Audit annotations: a text, or null for none. */
  readonly annotations: readonly AnnotationExpression[]
}

export interface AnnotationExpression {
  readonly key: string
  readonly expression: CelExpression
}

export interface PolicyValidation {
  readonly expression: CelExpression
  readonly message: string
  readonly messageExpression: CelExpression | undefined
  readonly reason: string
}

const request = new Map([['request', { type: requestType }]])

/**
 * An expression that cannot be compiled has a problem, and so has everything that is left when compilation has taken
 * too much effort.
 */
export function compilePolicy(spec: ValidatingAdmissionPolicySpec): PolicyExpressions {
  const hasParams = spec.paramKind !== undefined
  return compiledIn(spec, { environment: policyEnvironment(hasParams), ofMessages: messageEnvironment(hasParams) })
}

/**
 * For a policy that was validated, possibly by an earlier version: a compilation error now would refuse everything that
 * it matches.
 */
export function compileStoredPolicy(spec: ValidatingAdmissionPolicySpec): PolicyExpressions {
  const environment = storedPolicyEnvironment(spec.paramKind !== undefined)
  return compiledIn(spec, { environment, ofMessages: environment })
}

function compiledIn(spec: ValidatingAdmissionPolicySpec, given: PolicyEnvironments): PolicyExpressions {
  const effort = compileEffort(mostAdmissionSteps)
  const bare = withVariables(given.environment, request)
  const conditions = compiledConditions(spec.matchConditions ?? [], bare, effort)
  const declared = (spec.variables ?? []).slice(0, mostPolicyVariables)
  const { variables, types, environment } = compiledVariables(declared, bare, effort)
  const told = withVariables(given.ofMessages, request)
  const environments = { environment, ofMessages: declared.length === 0 ? told : withTypes(told, types) }
  return {
    conditions,
    variables,
    validations: (spec.validations ?? []).map((validation) => compiledValidation(validation, environments, effort)),
    annotations: (spec.auditAnnotations ?? []).map(({ key, valueExpression }) => ({
      key,
      expression: compiledExpression(valueExpression, environment, effort, [stringType, nullType]),
    })),
  }
}

/** What expressions of a policy may also refer to, with the types of its variables. */
export function withPolicyVariables(
  declared: readonly Variable[],
  bare: CelEnvironment,
  effort: CompileEffort,
): CelEnvironment {
  return compiledVariables(declared.slice(0, mostPolicyVariables), bare, effort).environment
}

function compiledVariables(declared: readonly Variable[], bare: CelEnvironment, effort: CompileEffort) {
  const variables = new Map<string, CelExpression>()
  const types = new Map<string, CelType>()
  // Without any, the name `variables` does not exist.
  let environment = declared.length === 0 ? bare : withTypes(bare, types)
  for (const { name, expression } of declared) {
    const compiled = compiledExpression(expression, environment, effort)
    variables.set(name, compiled)
    types.set(name, 'program' in compiled ? shallow(compiled.program.resultType) : dynType)
    environment = withTypes(bare, types)
  }
  return { variables, types, environment }
}

function withTypes(bare: CelEnvironment, types: ReadonlyMap<string, CelType>): CelEnvironment {
  return withVariables(bare, new Map([['variables', { type: structType('kubernetes.variables', new Map(types)) }]]))
}

const mostLevels = 3

/** A type that is composed of others, variable by variable, could become exponentially large. */
function shallow(type: CelType): CelType {
  return isShallow(type, mostLevels) ? type : dynType
}

function isShallow({ parameters }: CelType, levels: number): boolean {
  return levels > 0 && parameters.every((each) => isShallow(each, levels - 1))
}

interface PolicyEnvironments {
  readonly environment: CelEnvironment
  readonly ofMessages: CelEnvironment
}

function compiledValidation(
  { expression, message = '', messageExpression = '', reason = '' }: Validation,
  { environment, ofMessages }: PolicyEnvironments,
  effort: CompileEffort,
): PolicyValidation {
  return {
    expression: compiledExpression(expression, environment, effort, [boolType]),
    message,
    messageExpression:
      messageExpression.trim() === ''
        ? undefined
        : compiledExpression(messageExpression, ofMessages, effort, [stringType]),
    reason,
  }
}
