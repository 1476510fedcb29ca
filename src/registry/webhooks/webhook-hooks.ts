import type { Kind } from '../../api/kind.ts'
import type { JsonObject, KubeObject } from '../../api/object.ts'
import { lazily } from '../../base/lazily.ts'
import type { Hooks } from '../context.ts'
import type { DeletionPolicy, WriteRequest } from '../contract.ts'
import type { Policies } from '../policies/policies.ts'
import { withDistinctOwners } from '../verbs/distinct-owners.ts'
import type { AdmissionAttributes, Operation } from './contract.ts'
import { type ConvertKind, shownAsEquivalent, shownAsSent } from './shown-kind.ts'
import type { Webhooks } from './webhooks.ts'

export interface WebhookHookParts {
  readonly webhooks: Webhooks
  readonly policies: Policies
  /** Other kinds under which the same objects are served. */
  readonly equivalents: (kind: Kind) => readonly Kind[]
  readonly convert: ConvertKind
}

/** Adds the webhooks of the cluster to the hooks of a kind. */
export function withWebhooks(kind: Kind, hooks: Hooks, parts: WebhookHookParts): Hooks {
  if (isPolicy(kind)) return hooks
  const { policies } = parts
  const webhooks = isExempt(kind) ? undefined : parts.webhooks
  const attributesFor = attributesOfKind(kind, parts)
  return {
    ...hooks,
    mutate: async (object, old, request) => {
      const mutateItself = (given: KubeObject) => hooks.mutate?.(given, old, request) ?? Promise.resolve(given)
      const mutated = await mutateItself(object)
      if (!webhooks?.has('mutating') || isPassed(request)) return mutated
      const attributes = attributesFor(operationOn(old), mutated, old, request)
      const changed = (await webhooks.mutate(attributes, request, mutateItself)) ?? mutated
      return changed === mutated ? mutated : withDistinctOwners(changed, request)
    },
    review: async (object, old, request) => {
      await hooks.review?.(object, old, request)
      if (isPassed(request) || !(policies.has() || webhooks?.has('validating'))) return
      const attributes = attributesFor(operationOn(old), object, old, request)
      await policies.validate(attributes, request)
      if (webhooks?.has('validating')) await webhooks.validate(attributes, request)
    },
    admitDelete: async (object, request, options) => {
      await hooks.admitDelete?.(object, request, options)
      const isAsked = webhooks?.has('mutating') || webhooks?.has('validating') || policies.has()
      if (!isAsked || isPassed(request)) return
      const attributes = attributesFor('DELETE', undefined, object, request, deleteOptionsOf(options))
      await webhooks?.mutate(attributes, request, (given) => Promise.resolve(given))
      await policies.validate(attributes, request)
      await webhooks?.validate(attributes, request)
    },
  }
}

/** Webhooks do not apply to webhook configurations: a broken one could never be removed. */
function isExempt({ group }: Kind): boolean {
  return group === 'admissionregistration.k8s.io'
}

/** Likewise, policies do not apply to policies. */
function isPolicy({ group, kind }: Kind): boolean {
  return group === 'admissionregistration.k8s.io' && kind.startsWith('ValidatingAdmissionPolicy')
}

/** Writes by the server itself, and parts of an action for which webhooks have already been called. */
function isPassed({ isInternal, isAdmitted }: WriteRequest): boolean {
  return isInternal === true || isAdmitted === true
}

function operationOn(old: KubeObject | undefined): Operation {
  return old === undefined ? 'CREATE' : 'UPDATE'
}

function attributesOfKind(kind: Kind, { equivalents, convert }: WebhookHookParts) {
  const isNamespace = kind.group === '' && kind.kind === 'Namespace'
  return (
    operation: Operation,
    object: KubeObject | undefined,
    old: KubeObject | undefined,
    request: WriteRequest,
    options: JsonObject = writeOptionsOf(operation, request),
  ): AdmissionAttributes => {
    const { name = '', namespace = '' } = (object ?? old)?.metadata ?? {}
    const { subresource, user, dryRun } = request
    return {
      operation,
      sent: shownAsSent(kind, subresource),
      equivalents: lazily(() => equivalents(kind).map((other) => shownAsEquivalent(kind, subresource, other, convert))),
      subresource,
      namespace: isNamespace ? name : namespace,
      name,
      object,
      old,
      options,
      isDryRun: dryRun || options.dryRun !== undefined,
      user,
    }
  }
}

const apiVersion = 'meta.k8s.io/v1'
const dryRunOfAll = { dryRun: ['All'] }

function writeOptionsOf(operation: Operation, { dryRun, givenOptions }: WriteRequest): JsonObject {
  const kind = operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions'
  return { kind, apiVersion, ...(dryRun && dryRunOfAll), ...givenOptions }
}

function deleteOptionsOf(policy: DeletionPolicy): JsonObject {
  const { dryRun, gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy } = policy
  return {
    kind: 'DeleteOptions',
    apiVersion,
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(preconditions && { preconditions: { ...preconditions } }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(dryRun && dryRunOfAll),
  }
}
