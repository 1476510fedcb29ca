import { isActedOn, isOfProcess, type KeyMap } from '../../api/host-controllers.ts'
import type { KubeObject } from '../../api/object.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { CompiledPatch } from '../../patches/contract.ts'
import type { KindSetting, SyncKind, TextMap } from '../contract.ts'
import { fieldsOf } from '../plan/fields.ts'
import { claimsRule } from './claims.ts'
import type { FieldRule, ObjectPolicy, Refusal } from './contract.ts'
import { endpointSlicesRule } from './endpoint-slices.ts'
import { endpointsRule } from './endpoints.ts'
import { ingressesRule } from './ingresses.ts'
import { type JudgeKey, keyCheck } from './metadata-keys.ts'
import { podsRule } from './pods/pods.ts'
import { allowedWith } from './remedy.ts'
import { secretsRule } from './secrets.ts'
import { serviceRule } from './services.ts'

/** Kinds with fields that affect more on a host than their own object. */
const fieldRules: ReadonlyMap<string, FieldRule> = new Map([
  ['endpoints', endpointsRule],
  ['services', serviceRule],
  ['endpointSlices', endpointSlicesRule],
  ['secrets', secretsRule],
  ['ingresses', ingressesRule],
  ['persistentVolumeClaims', claimsRule],
  ['pods', podsRule],
])

/** A Service or controller of the host would adopt a Pod with matching labels. */
const selectedByAny: ReadonlySet<string> = new Set(['namespaces', 'pods'])

export interface PolicyParts {
  readonly kind: Pick<SyncKind, 'id'>
  readonly config: Pick<EffectiveConfig, 'policies' | 'networking'>
  readonly patches: readonly CompiledPatch[]
  readonly setting: Pick<KindSetting, 'names'>
}

/** The policy for one kind under one configuration. */
export function policyOf({ kind, config, patches, setting }: PolicyParts): ObjectPolicy {
  const policies = config.policies.sync
  const rule = fieldRules.get(kind.id)
  const checkOf = (map: KeyMap) =>
    keyCheck({
      map,
      policy: policies[map],
      patched: patchedKeys(map, patches),
      selectsByAny: map === 'labels' && selectedByAny.has(kind.id),
      isKeptOtherwise: map === 'labels' && kind.id === 'pods',
    })
  const checks = { labels: checkOf('labels'), annotations: checkOf('annotations') }
  return {
    mayCarry: (map, key, value) => checks[map](key, value) === 'carried',
    filter: (object, companions = []) => {
      const labels = filteredMap('labels', object.metadata.labels, checks.labels)
      const annotations = filteredMap('annotations', object.metadata.annotations, checks.annotations)
      const judged = rule?.(fieldsOf(object), {
        policies,
        pods: config.policies.pods,
        annotations: annotations.kept.annotations ?? {},
        hostClusterDomain: config.networking.hostClusterDomain,
        setting,
        companions,
        lacksInstruction: annotations.refusals.some(({ key }) => key && isActedOn('annotations', key.name)),
      })
      const refusals = [...labels.refusals, ...annotations.refusals, ...(judged?.refusals ?? [])]
      const { labels: _, annotations: __, ...metadata } = object.metadata
      return {
        object: {
          ...object,
          ...judged?.fields,
          metadata: { ...metadata, ...labels.kept, ...annotations.kept },
        },
        refusals,
        isHeld: judged?.isHeld === true,
      }
    },
  }
}

interface FilteredMap {
  readonly kept: Pick<KubeObject['metadata'], 'labels' | 'annotations'>
  readonly refusals: readonly Refusal[]
}

function filteredMap(map: KeyMap, given: TextMap | undefined, check: JudgeKey): FilteredMap {
  if (given === undefined) return { kept: {}, refusals: [] }
  const judged = Object.entries(given).map(([key, value]) => ({ key, value, verdict: check(key, value) }))
  const kept = judged.filter(({ verdict }) => verdict === 'carried')
  return {
    kept: kept.length === 0 ? {} : { [map]: Object.fromEntries(kept.map(({ key, value }) => [key, value])) },
    refusals: judged
      .filter(({ verdict }) => verdict === 'refused')
      .map(({ key, value }) => refusedKey(map, key, value)),
  }
}

function refusedKey(map: KeyMap, name: string, value: string): Refusal {
  return {
    rule: map,
    field: `metadata.${map}[${JSON.stringify(name)}]`,
    reason: `it is not among the ${map} that tenants may set`,
    remedy: isOfProcess(map, name, value) ? 'a patch of it sets it' : allowedWith(`${map}.allowed`),
    key: { map, name },
  }
}

/** The labels or annotations that patches to the host name explicitly: the operator decides about them. */
function patchedKeys(map: KeyMap, patches: readonly CompiledPatch[]): ReadonlySet<string> {
  return new Set(patches.filter(runsToHost).flatMap((patch) => keyAt(map, patch) ?? []))
}

function runsToHost({ action }: CompiledPatch): boolean {
  return action.type === 'expression' ? action.toHost !== undefined : action.type === 'reference'
}

function keyAt(map: KeyMap, { path }: CompiledPatch): string | undefined {
  const [metadata, place, key, ...more] = path.map((element) => (element.type === 'member' ? element.name : undefined))
  return metadata === 'metadata' && place === map && more.length === 0 ? key : undefined
}
