import { type CelEnvironment, type CelVariable, celEnvironment, withVariables } from '../../cel/environment.ts'
import { type CelType, dynType } from '../../cel/type.ts'
import { authorizerType, kubernetesAuthorizer, resourceCheckType } from './authorizer.ts'
import { kubernetesLibraries, storedLibraries } from './environment.ts'
import { namespaceCelType } from './namespace-type.ts'

const unknown: CelVariable = { type: dynType }
const base = celEnvironment([...kubernetesLibraries, kubernetesAuthorizer])

const admissionVariables: readonly (readonly [string, CelVariable])[] = [
  ['object', unknown],
  ['oldObject', unknown],
  ['request', unknown],
  ['namespaceObject', { type: namespaceCelType }],
]
const authorizers: readonly (readonly [string, CelVariable])[] = [
  ['authorizer', { type: authorizerType }],
  ['authorizer.requestResource', { type: resourceCheckType }],
]
const told: CelEnvironment = withVariables(base, new Map(admissionVariables))
const plain: CelEnvironment = withVariables(told, new Map(authorizers))
const params = new Map([['params', unknown]])
const parameterized: CelEnvironment = withVariables(plain, params)
const toldParameterized: CelEnvironment = withVariables(told, params)
const stored: CelEnvironment = withVariables(
  celEnvironment([...storedLibraries, kubernetesAuthorizer]),
  new Map([...admissionVariables, ...authorizers, ['namespaceObject', unknown]]),
)
const storedParameterized: CelEnvironment = withVariables(stored, params)

/** What the expressions of a policy may refer to, besides its variables. */
export function policyEnvironment(hasParams: boolean): CelEnvironment {
  return hasParams ? parameterized : plain
}

/** What its messages may refer to: they cannot check rights. */
export function messageEnvironment(hasParams: boolean): CelEnvironment {
  return hasParams ? toldParameterized : told
}

/** What expressions and messages of a stored policy may refer to: an earlier version may have accepted more. */
export function storedPolicyEnvironment(hasParams: boolean): CelEnvironment {
  return hasParams ? storedParameterized : stored
}

export interface PolicyTypes {
  readonly object: CelType | undefined
  readonly request: CelType
  /** Undefined: there are none. */
  readonly params: CelType | undefined
}

/** The same, with known types. */
export function typedPolicyEnvironment({ object = dynType, request, params }: PolicyTypes): CelEnvironment {
  const known: readonly (readonly [string, CelVariable])[] = [
    ['object', { type: object }],
    ['oldObject', { type: object }],
    ['request', { type: request }],
    ['namespaceObject', { type: namespaceCelType }],
    ...(params === undefined ? [] : [['params', { type: params }] as const]),
  ]
  return withVariables(plain, new Map(known))
}

/** The compilation limit for the expressions of one policy, or the match conditions of one webhook configuration. */
export const mostAdmissionSteps = 20_000
