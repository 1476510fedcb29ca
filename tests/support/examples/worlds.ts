import type { KubeObject } from '../../../src/api/object.ts'
import { effectiveConfig } from '../../../src/api/tenant-config/defaults.ts'
import type { TenantConfig } from '../../../src/api/tenant-config/types.ts'
import type { Pair, Plan, SyncKind } from '../../../src/sync/contract.ts'
import { endpointsSync } from '../../../src/sync/kinds/endpoints.ts'
import { hostNamesOf } from '../../../src/sync/names/host-names.ts'
import { planObject } from '../../../src/sync/plan/plan.ts'
import type { KindRules } from '../../../src/sync/plan/rules.ts'
import { policyOf } from '../../../src/sync/policy/policy-of.ts'

/** For tests: two worlds before, a plan, and two worlds after. */

const identity = { tenant: 'demo', hostNamespace: 'tenants' }

export function rulesFor(kind: SyncKind, kindMark: string, config: TenantConfig = {}, follows = false): KindRules {
  const effective = effectiveConfig(config)
  const names = hostNamesOf(identity, effective)
  const setting = {
    names: names.forKinds,
    virtualFollowsHostAddresses: follows,
    podsRunOnHost: effective.sync.toHost.pods.enabled,
  }
  return {
    kind,
    owner: { identity, kindMark },
    setting,
    policy: policyOf({ kind, config: effective, patches: [], setting }),
    hostOf: names.hostOf,
    mayRefer: kind.references !== undefined,
    hasSelectors: false,
    patch: async (object) => ({ state: 'applied', object, references: [], counters: [] }),
  }
}

export const rules = rulesFor(endpointsSync, 'Endpoints')
export const subsets = [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] }]

export function endpoints(metadata: object = {}, fields: object = { subsets }): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'web', namespace: 'default', uid: 'u1', resourceVersion: '5', ...metadata },
    ...fields,
  }
}

/** The copy that the syncer makes of an object, as the host then shows it. */
export async function copyOf(virtual: KubeObject, by = rules): Promise<KubeObject> {
  const { plan } = await planObject({ virtual, copy: undefined }, by, { isWanted: true })
  if (plan.action !== 'create') throw new Error(`expected a create, got ${plan.action}`)
  return { ...plan.host, metadata: { ...plan.host.metadata, uid: 'h1', resourceVersion: '9' } }
}

export function changed(object: KubeObject, metadata: object, fields: object = {}): KubeObject {
  return { ...object, ...fields, metadata: { ...object.metadata, ...metadata } }
}

export async function planned(pair: Pair, by = rules, isWanted = true): Promise<Plan> {
  return (await planObject(pair, by, { isWanted })).plan
}

/** Both sides after the plan was carried out, as a server would store them. */
export function carriedOut(
  { virtual, copy }: { virtual: KubeObject; copy: KubeObject },
  plan: Plan,
): { virtual: KubeObject; copy: KubeObject } {
  if (plan.action !== 'update') return { virtual, copy }
  const metadata = plan.virtual?.body?.metadata as Record<string, Record<string, string | null>> | undefined
  const merged = Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, change]) => {
      const before = virtual.metadata[name as 'labels'] ?? {}
      return [name, Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null))]
    }),
  )
  return { virtual: changed(virtual, merged), copy: plan.host ?? copy }
}

/** Plans and carries out until nothing is left to do. */
export async function broughtInStep(
  pair: { virtual: KubeObject; copy: KubeObject },
  by = rules,
): Promise<{ virtual: KubeObject; copy: KubeObject }> {
  let current = pair
  for (let round = 0; round < 5; round++) {
    const plan = await planned(current, by)
    if (plan.action === 'nothing') return current
    current = carriedOut(current, plan)
  }
  throw new Error('there is always something left to do')
}

/** Patches as functions, for tests in which only the effect matters. */
export function patchedRules(toHost: (text: string) => string, toVirtual: (text: string) => string): KindRules {
  const patch: KindRules['patch'] = async (object, direction) => {
    const annotations = object.metadata.annotations ?? {}
    const change = direction === 'toHost' ? toHost : toVirtual
    const changedMap = 'a' in annotations ? { ...annotations, a: change(String(annotations.a)) } : annotations
    return { state: 'applied', object: changed(object, { annotations: changedMap }), references: [], counters: [] }
  }
  return { ...rules, patch }
}
