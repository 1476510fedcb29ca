import { type CelLibrary, type CelOverload, memberOverload } from '../../cel/environment.ts'
import { boolType, type CelType, opaqueType, stringType } from '../../cel/type.ts'
import { type CelOpaque, type CelResult, type CelValue, failure, noSuchOverload } from '../../cel/value.ts'

/** What is checked: a path, or a resource. */
export interface AuthorizerQuestion {
  /** Empty: the check is about a resource. */
  readonly path: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /** Empty: the caller. Otherwise `namespace:name` of an account. */
  readonly serviceAccount: string
  readonly verb: string
}

export interface AuthorizerAnswer {
  readonly isAllowed: boolean
  readonly reason: string
}

/** Checks what a user may do, synchronously. If that is unknown, the evaluation fails, which is not a refusal. */
export type AskAuthorizer = (question: AuthorizerQuestion) => AuthorizerAnswer | { readonly problem: string }

export const authorizerType = opaqueType('kubernetes.authorization.Authorizer')
const pathType = opaqueType('kubernetes.authorization.PathCheck')
const groupType = opaqueType('kubernetes.authorization.GroupCheck')
export const resourceCheckType = opaqueType('kubernetes.authorization.ResourceCheck')
const decisionType = opaqueType('kubernetes.authorization.Decision')

interface CheckValue extends CelOpaque {
  readonly question: AuthorizerQuestion
  readonly ask: AskAuthorizer
}

interface DecisionValue extends CelOpaque {
  readonly answer: AuthorizerAnswer
}

const noQuestion: AuthorizerQuestion = {
  path: '',
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  serviceAccount: '',
  verb: '',
}

export function authorizerValue(ask: AskAuthorizer): CelOpaque {
  return checkValue(authorizerType, noQuestion, ask)
}

/** The resource of the request itself: `authorizer.requestResource`. */
export function resourceCheckValue(resource: Partial<AuthorizerQuestion>, ask: AskAuthorizer): CelOpaque {
  return checkValue(resourceCheckType, { ...noQuestion, ...resource }, ask)
}

function checkValue({ name }: CelType, question: AuthorizerQuestion, ask: AskAuthorizer): CheckValue {
  const value: CheckValue = { kind: 'opaque', typeName: name, question, ask, equals: (other) => other === value }
  return value
}

function isCheck(value: CelValue | undefined): value is CheckValue {
  return typeof value === 'object' && value?.kind === 'opaque' && 'question' in value
}

function isDecision(value: CelValue | undefined): value is DecisionValue {
  return typeof value === 'object' && value?.kind === 'opaque' && 'answer' in value
}

/** Adds one more attribute to a check. */
function narrowed(id: string, from: CelType, to: CelType, member: keyof AuthorizerQuestion): CelOverload {
  return memberOverload(id, [from, stringType], to, ([check, text]) =>
    isCheck(check) && typeof text === 'string'
      ? checkValue(to, { ...check.question, [member]: text }, check.ask)
      : noSuchOverload,
  )
}

/** A right to all objects includes the selected ones: no right depends on a selector. */
function selecting(id: string): CelOverload {
  return memberOverload(id, [resourceCheckType, stringType], resourceCheckType, ([check, text]) =>
    isCheck(check) && typeof text === 'string' ? check : noSuchOverload,
  )
}

/** Allows an expression two checks, and no more. */
const costOfCheck = 350_000
const checkCosts = { cost: () => costOfCheck, estimate: () => ({ cost: { min: costOfCheck, max: costOfCheck } }) }

function check([value, verb]: readonly CelValue[]): CelResult {
  if (!isCheck(value) || typeof verb !== 'string') return noSuchOverload
  const answer = value.ask({ ...value.question, verb })
  if ('problem' in answer) return failure(answer.problem)
  const decision: DecisionValue = {
    kind: 'opaque',
    typeName: decisionType.name,
    answer,
    equals: (other) => isDecision(other) && other.answer.isAllowed === answer.isAllowed,
  }
  return decision
}

function serviceAccount([value, namespace, name]: readonly CelValue[]): CelResult {
  if (!isCheck(value) || typeof namespace !== 'string' || typeof name !== 'string') return noSuchOverload
  if (!/^[a-z0-9.-]{1,253}$/.test(name) || !/^[a-z0-9-]{1,63}$/.test(namespace)) {
    return failure('invalid service account name or namespace')
  }
  return checkValue(authorizerType, { ...value.question, serviceAccount: `${namespace}:${name}` }, value.ask)
}

function ofDecision(id: string, result: CelType, read: (answer: AuthorizerAnswer) => CelResult): CelOverload {
  return memberOverload(id, [decisionType], result, ([value]) =>
    isDecision(value) ? read(value.answer) : noSuchOverload,
  )
}

/** Only for admission: what the caller may do. */
export const kubernetesAuthorizer: CelLibrary = {
  functions: [
    { name: 'path', overloads: [narrowed('authorizer_path', authorizerType, pathType, 'path')] },
    { name: 'group', overloads: [narrowed('authorizer_group', authorizerType, groupType, 'group')] },
    {
      name: 'serviceAccount',
      overloads: [
        memberOverload(
          'authorizer_serviceaccount',
          [authorizerType, stringType, stringType],
          authorizerType,
          serviceAccount,
        ),
      ],
    },
    { name: 'resource', overloads: [narrowed('groupcheck_resource', groupType, resourceCheckType, 'resource')] },
    {
      name: 'subresource',
      overloads: [narrowed('resourcecheck_subresource', resourceCheckType, resourceCheckType, 'subresource')],
    },
    {
      name: 'namespace',
      overloads: [narrowed('resourcecheck_namespace', resourceCheckType, resourceCheckType, 'namespace')],
    },
    { name: 'fieldSelector', overloads: [selecting('authorizer_fieldselector')] },
    { name: 'labelSelector', overloads: [selecting('authorizer_labelselector')] },
    { name: 'name', overloads: [narrowed('resourcecheck_name', resourceCheckType, resourceCheckType, 'name')] },
    {
      name: 'check',
      overloads: [
        memberOverload('pathcheck_check', [pathType, stringType], decisionType, check, checkCosts),
        memberOverload('resourcecheck_check', [resourceCheckType, stringType], decisionType, check, checkCosts),
      ],
    },
    { name: 'allowed', overloads: [ofDecision('decision_allowed', boolType, ({ isAllowed }) => isAllowed)] },
    { name: 'reason', overloads: [ofDecision('decision_reason', stringType, ({ reason }) => reason)] },
    { name: 'errored', overloads: [ofDecision('decision_errored', boolType, () => false)] },
    { name: 'error', overloads: [ofDecision('decision_error', stringType, () => '')] },
  ],
}
