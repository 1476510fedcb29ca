import type { ResourceAttributes } from '../../api/access.ts'
import { invalid } from '../../api/error.ts'
import { forbiddenField } from '../../api/field-error.ts'
import type { Kind } from '../../api/kind.ts'
import { type KubeObject, parseApiVersion } from '../../api/object.ts'
import type {
  ParamKind,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../api/types/admissionregistration-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Engine, Hooks } from '../context.ts'
import type { WriteRequest } from '../contract.ts'

type Question = Pick<ResourceAttributes, 'verb' | 'group' | 'resource' | 'namespace' | 'name'>

/** A right that the writer must have, and the message if it does not. */
interface RequiredRight {
  readonly question: Question
  readonly field: string
  readonly refusal: string
}

type RightOf<T> = (object: T, user: string, engine: Engine) => RequiredRight | undefined

/**
 * A policy reveals params to its writer, in the messages of its refusals, so the writer must be allowed to read all of
 * them.
 */
export function policyRightHooks(kind: Kind, engine: Engine): Hooks {
  return rightHooks<ValidatingAdmissionPolicy>(kind, engine, rightOfPolicy)
}

/** The same check for the params that a binding selects. */
export function bindingRightHooks(kind: Kind, engine: Engine): Hooks {
  return rightHooks<ValidatingAdmissionPolicyBinding>(kind, engine, rightOfBinding)
}

function rightHooks<T extends KubeObject & { readonly spec: object }>(
  kind: Kind,
  engine: Engine,
  rightOf: RightOf<T>,
): Hooks {
  const check = async (object: KubeObject, request: WriteRequest) => {
    if (request.isInternal === true) return
    const right = rightOf(object as T, request.user.name, engine)
    if (right === undefined) return
    const { question, field, refusal } = right
    const decision = await request.authorize({ ...question, user: request.user, version: '*', subresource: '' })
    if (decision.verdict !== 'allow') throw invalid(kind, object.metadata.name ?? '', [forbiddenField(field, refusal)])
  }
  return {
    admitCreate: async (object, request) => {
      await check(object, request)
      return { object }
    },
    admitUpdate: async (object, old, request) => {
      if (!deepEqual((object as T).spec, (old.object as T).spec)) await check(object, request)
      return { object }
    },
  }
}

const rightOfPolicy: RightOf<ValidatingAdmissionPolicy> = ({ spec: { paramKind } }, user, engine) => {
  if (paramKind === undefined) return undefined
  const { apiVersion = '', kind = '' } = paramKind
  return {
    question: { verb: 'get', ...resourceOf(paramKind, engine), namespace: '', name: '' },
    field: 'spec.paramKind',
    refusal: `user ${user} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`,
  }
}

const rightOfBinding: RightOf<ValidatingAdmissionPolicyBinding> = ({ spec }, user, engine) => {
  const { policyName = '', paramRef } = spec
  if (paramRef === undefined) return undefined
  const { name = '', namespace = '' } = paramRef
  const verb = name === '' ? 'list' : 'get'
  return {
    question: { verb, ...resourceOf(paramKindOf(policyName, engine), engine), namespace, name },
    field: 'spec.paramRef',
    refusal: `user ${user} does not have "${verb}" permission on the object referenced by paramRef`,
  }
}

/** Undefined if the policy does not exist, or has no params. */
function paramKindOf(policyName: string, engine: Engine): ParamKind | undefined {
  const policies = engine.find('admissionregistration.k8s.io', 'ValidatingAdmissionPolicy')
  const policy = policies?.cache.get({ namespace: '', name: policyName })?.object
  return (policy as ValidatingAdmissionPolicy | undefined)?.spec.paramKind
}

/** An unknown kind may become anything, so the user must be allowed to read everything. */
function resourceOf(paramKind: ParamKind | undefined, engine: Engine): Pick<Question, 'group' | 'resource'> {
  if (paramKind === undefined) return { group: '*', resource: '*' }
  const { group } = parseApiVersion(paramKind.apiVersion ?? '')
  return { group, resource: engine.find(group, paramKind.kind ?? '')?.kind.plural ?? '*' }
}
