import { forbidden, notFound } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import { type Pacing, paced } from '../../base/pace.ts'
import type { Engine } from '../context.ts'
import { authorizersOf } from './authorizers.ts'
import type { ConfiguredWebhook } from './configured-webhook.ts'
import type { AdmissionAttributes, AskingRequest, GroupVersionResource, ShownKind } from './contract.ts'
import { requestAttributes } from './review-request.ts'
import type { RuleSubject } from './rule-match.ts'

/** Which requests a webhook or a policy matches. */
export type RequestMatch = Pick<ConfiguredWebhook, 'rules' | 'matchesEquivalents' | 'namespaces' | 'objects'>

/** How a matching request is shown; undefined if it does not match. */
export function matchRequest(
  match: RequestMatch,
  attributes: AdmissionAttributes,
  engine: Engine,
): ShownKind | undefined {
  const shown = matchRules(match, attributes)
  if (shown === undefined || !matchesObjects(match.objects, attributes)) return undefined
  return matchesNamespace(match.namespaces, attributes, engine) ? shown : undefined
}

/** Conditions that cannot be evaluated count as a failed call: the failurePolicy decides. */
export async function meetsConditions(
  { conditions, failsOpen }: ConfiguredWebhook,
  attributes: AdmissionAttributes,
  shown: ShownKind,
  request: AskingRequest,
  pace: Pacing,
): Promise<boolean> {
  if (conditions === undefined) return true
  const { object, old, name } = attributes
  const subject = {
    object: object === undefined ? null : await shown.show(object),
    oldObject: old === undefined ? null : await shown.show(old),
    request: requestAttributes(attributes, shown),
    authorizers: authorizersOf(attributes, request),
  }
  const outcome = await paced(conditions()(subject), pace)
  if ('isMatch' in outcome) return outcome.isMatch
  if (failsOpen) return false
  const { group, resource } = attributes.sent.resource
  throw forbidden({ plural: resource, group }, name, outcome.problem)
}

function matchRules(
  { rules, matchesEquivalents }: RequestMatch,
  attributes: AdmissionAttributes,
): ShownKind | undefined {
  const { operation, subresource, namespace, sent, equivalents } = attributes
  const subject = (resource: GroupVersionResource): RuleSubject => ({ operation, subresource, namespace, ...resource })
  if (rules.matches(subject(sent.resource))) return sent
  if (!matchesEquivalents) return undefined
  let first: { readonly shown: ShownKind; readonly position: number } | undefined
  for (const shown of equivalents()) {
    const position = rules.positionOf(subject(shown.resource))
    if (position !== undefined && (first === undefined || position < first.position)) first = { shown, position }
  }
  return first?.shown
}

/** A webhook that selects by labels is also called when they are removed. */
function matchesObjects(selector: LabelSelector | undefined, { object, old }: AdmissionAttributes): boolean {
  return selector === undefined || hasLabels(object, selector) || hasLabels(old, selector)
}

/** An object without metadata, such as the options of a connection, matches no selector. */
function hasLabels(object: KubeObject | undefined, selector: LabelSelector): boolean {
  return object?.metadata !== undefined && selector.matches(object.metadata.labels ?? {})
}

/** Cluster-scoped objects match every namespace selector. */
function matchesNamespace(
  selector: LabelSelector | undefined,
  { namespace, object, subresource, sent }: AdmissionAttributes,
  engine: Engine,
): boolean {
  if (selector === undefined || namespace === '') return true
  const { group, resource } = sent.resource
  const isNamespace = group === '' && resource === 'namespaces'
  if (isNamespace && subresource === '' && object !== undefined) return hasLabels(object, selector)
  const found = engine.find('', 'Namespace')?.cache.get({ namespace: '', name: namespace })
  if (found === undefined) throw notFound({ plural: 'namespaces', group: '' }, namespace)
  return selector.matches(found.labels ?? {})
}
