import type { KubeObject } from '../../api/object.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import { podType } from '../../client/builtin-types.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { Pair, Plan } from '../contract.ts'
import { enabledKinds } from '../kinds/enabled.ts'
import { podsSync } from '../kinds/pods/pods.ts'
import { copySelector, virtualNameOf } from '../names/markers.ts'
import { nameOf, printName, type TenantPlace } from '../names/names.ts'
import { planObject } from '../plan/plan.ts'
import type { KindRules } from '../plan/rules.ts'
import { noticeOf } from '../policy/notice.ts'
import { kindConfigOf } from '../run/kind-config.ts'
import { SharedEngine } from '../run/shared-engine.ts'

/** A difference between an object and its copy, with its cause. */
export interface PodDifference {
  readonly object: string
  readonly reason: string
  readonly message: string
}

export interface PodAudit {
  readonly compared: number
  readonly differences: readonly PodDifference[]
}

export interface PodAuditOptions {
  readonly identity: TenantPlace
  readonly config: EffectiveConfig
  readonly virtual: KubeClient
  readonly host: KubeClient
  /** Waits between two comparisons: a short-lived difference is a change on its way. */
  readonly pause: () => Promise<void>
}

/** Compares all Pods of a tenant with their copies, by the rules of its syncer. Changes nothing. */
export async function auditPods(options: PodAuditOptions): Promise<PodAudit> {
  const engine = new SharedEngine(options.identity)
  try {
    const rules = podRulesOf(options, engine)
    const first = await differencesNow(options, rules)
    if (first.differences.length === 0) return first
    await options.pause()
    const second = await differencesNow(options, rules)
    const before = new Set(first.differences.map(sameness))
    return { ...second, differences: second.differences.filter((each) => before.has(sameness(each))) }
  } finally {
    await engine.close()
  }
}

function sameness({ object, reason }: PodDifference): string {
  return `${object} ${reason}`
}

function podRulesOf({ identity, config }: PodAuditOptions, engine: SharedEngine): KindRules {
  const entry = enabledKinds(config).find(({ kind }) => kind === podsSync)
  if (entry === undefined) throw new Error('Pods are not synced.')
  return kindConfigOf(entry, podType, {
    identity,
    config,
    virtualFollowsHostAddresses: false,
    podNetwork: () => ({}),
    cordonedNodes: () => [],
    engine: engine.for(config),
    vcluster: { name: identity.tenant, namespace: identity.hostNamespace, config },
    findVirtual: () => undefined,
    countPatches: () => {},
  }).rules
}

async function differencesNow(
  { identity, config, virtual, host }: PodAuditOptions,
  rules: KindRules,
): Promise<PodAudit> {
  const place = config.sync.toHost.namespaces.enabled ? {} : { namespace: identity.hostNamespace }
  const [pods, copies] = await Promise.all([
    virtual.list(podType),
    host.list(podType, { labelSelector: copySelector(identity), ...place }),
  ])
  const { pairs, strangers } = paired(pods.items, copies.items, rules)
  const found = await Promise.all(
    [...pairs].map(async ([object, pair]) => {
      const { plan, refusals = [] } = await planObject(pair, rules, { isWanted: true })
      const dropped = noticeOf(refusals, plan.action === 'hold back')
      return explainedPlan(object, plan, pair) ?? (dropped && { object, ...dropped })
    }),
  )
  return { compared: pairs.size, differences: [...strangers, ...found.filter((each) => each !== undefined)] }
}

/** By the virtual name. */
function paired(
  pods: readonly KubeObject[],
  copies: readonly KubeObject[],
  { owner, hostOf }: KindRules,
): { readonly pairs: ReadonlyMap<string, Pair>; readonly strangers: readonly PodDifference[] } {
  const pairs = new Map<string, Pair>(pods.map((virtual) => [printName(nameOf(virtual)), { virtual, copy: undefined }]))
  const strangers: PodDifference[] = []
  for (const copy of copies) {
    const name = virtualNameOf(copy, owner, hostOf)
    if (name === undefined) {
      const message = 'it has the label of a copy of this tenant and not all of its marks; the syncer leaves it alone'
      strangers.push({ object: `${printName(nameOf(copy))} of the host`, reason: 'NoCopyOfThisTenant', message })
      continue
    }
    const virtual = pairs.get(printName(name))?.virtual
    pairs.set(printName(name), virtual === undefined ? { virtual, copy } : { virtual, copy })
  }
  return { pairs, strangers }
}

/** What the syncer would still have to do; undefined if both are in step. */
export function explainedPlan(object: string, plan: Plan, { virtual, copy }: Pair): PodDifference | undefined {
  switch (plan.action) {
    case 'leave out':
    case 'release':
      return undefined
    case 'nothing':
      return plan.trouble && { object, ...plan.trouble }
    case 'wait':
    case 'fail':
    case 'hold back':
      return { object, ...plan.trouble }
    case 'create':
      return { object, ...whyNoCopy(virtual) }
    case 'delete':
      return {
        object,
        reason: 'CopyIsLeft',
        message: `the copy ${printName(nameOf(plan.copy))} is to go: ${plan.because}`,
      }
    case 'end':
      return { object, reason: 'PodIsLeft', message: `the Pod is to end: ${plan.because}` }
    case 'update': {
      const lacking = [
        ...(plan.host ? ['the copy lacks what the Pod asks for'] : []),
        ...[...new Set(plan.parts?.map(({ subresource }) => subresource))].map(
          (subresource) => `the copy lacks what is written to pods/${subresource}`,
        ),
        ...(plan.virtual ? ['the Pod does not show how its copy is doing'] : []),
      ]
      const where = copy === undefined ? '' : ` (copy ${printName(nameOf(copy))})`
      return { object, reason: 'NotInStep', message: `${lacking.join('; ')}${where}` }
    }
  }
}

/** The syncer reports refusals of the host in the condition. */
function whyNoCopy(virtual: KubeObject | undefined): Pick<PodDifference, 'reason' | 'message'> {
  const { conditions = [] } = (virtual as Pod | undefined)?.status ?? {}
  const refused = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  if (refused?.reason === 'RefusedByHost') return { reason: refused.reason, message: refused.message ?? '' }
  return {
    reason: 'NoCopy',
    message: 'it has no copy on the host: the virtual cluster does not run, or may not write there',
  }
}
