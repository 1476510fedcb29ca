import type { PolicyKinds, TypedKind } from '../../api/admissionregistration/policy-types.ts'
import type { Kind } from '../../api/kind.ts'
import { parseApiVersion } from '../../api/object.ts'
import type { ParamKind, Rule, ValidatingAdmissionPolicySpec } from '../../api/types/admissionregistration-v1.ts'
import type { Registry } from '../contract.ts'

/** For one policy. */
const mostKinds = 10
/** Rules may name many resources that are not served. */
const mostLookups = 1_000

/** The served kinds that a policy names. `*` names none. */
export function kindsOfPolicy(
  { matchConstraints, paramKind }: ValidatingAdmissionPolicySpec,
  registry: Pick<Registry, 'resource' | 'resources'>,
): PolicyKinds {
  const found = new Set<Kind>()
  let lookups = 0
  for (const name of namedResources(matchConstraints?.resourceRules ?? [])) {
    lookups += 1
    const kind = registry.resource(name.group, name.version, name.resource)?.kind
    if (kind !== undefined) found.add(kind)
    if (found.size >= mostKinds || lookups >= mostLookups) break
  }
  return { matched: [...found].sort(byName), params: paramKind && kindOfParams(paramKind, registry) }
}

function* namedResources(rules: readonly Rule[]) {
  for (const { apiGroups = [], apiVersions = [], resources = [] } of rules) {
    if ([...apiGroups, ...apiVersions].some((each) => each.includes('*'))) continue
    const plain = resources.filter((each) => !/[*/]/.test(each))
    for (const group of [...apiGroups].sort()) {
      for (const version of [...apiVersions].sort()) {
        for (const resource of [...plain].sort()) yield { group, version, resource }
      }
    }
  }
}

function kindOfParams({ apiVersion = '', kind = '' }: ParamKind, registry: Pick<Registry, 'resources'>) {
  const { group, version } = parseApiVersion(apiVersion)
  const isIt = (each: Kind) => each.group === group && each.version === version && each.kind === kind
  return registry.resources().find((resource) => isIt(resource.kind))?.kind
}

function byName(left: TypedKind, right: TypedKind): number {
  return nameOf(left) < nameOf(right) ? -1 : 1
}

function nameOf({ group, version, kind }: TypedKind): string {
  return [group, version, kind].join('\0')
}
