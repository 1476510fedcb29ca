import { shown } from '../../api/tenant-config/wording.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { ObjectFields } from '../contract.ts'
import { checkedObjectsIn } from '../kinds/lists.ts'
import type { FieldContext, FieldRule, JudgedFields, Refusal } from './contract.ts'
import { matchesName } from './external-names.ts'
import { allowedWith } from './remedy.ts'

/** Controllers merge the rules of all Ingresses, so any Ingress can claim any host name. */
export const ingressesRule: FieldRule = (fields, context) => {
  if (!isJsonObject(fields.spec)) return { fields, refusals: [] }
  if (context.lacksInstruction) return held(fields)
  const { hosts } = context.policies.ingresses
  const refusals: Refusal[] = []
  const { defaultBackend, rules, tls, ...others } = fields.spec
  const kept = checkedObjectsIn<ObjectFields>(rules)?.filter((rule, index) =>
    keeps(rule, `spec.rules[${index}]`, context, refusals),
  )
  const isForeign =
    !context.setting.names.multiNamespace && isJsonObject(defaultBackend) && defaultBackend.resource !== undefined
  const isAnybodys = defaultBackend === undefined || (isAllowed(undefined, hosts) && !isForeign)
  if (!isAnybodys) refusals.push(refusedHost('spec.defaultBackend', undefined))
  const certificates =
    tls === undefined ? undefined : narrowed(checkedObjectsIn<ObjectFields>(tls) ?? [], kept ?? [], hosts)
  const spec = {
    ...others,
    ...(isAnybodys && defaultBackend !== undefined && { defaultBackend }),
    ...(kept && kept.length > 0 && { rules: kept }),
    ...(certificates && certificates.length > 0 && { tls: certificates }),
  }
  const isEmpty = !('rules' in spec) && !('defaultBackend' in spec)
  return { fields: { ...fields, spec }, refusals, ...(isEmpty && refusals.length > 0 && { isHeld: true }) }
}

/** Without its annotations, it may admit more traffic than its owner intended. */
function held(fields: ObjectFields): JudgedFields {
  const reason =
    'an annotation that controllers act on is not synced, and without it this Ingress may allow more than intended'
  const remedy = allowedWith('annotations.allowed')
  return { fields, refusals: [{ rule: 'ingresses', field: 'spec', reason, remedy }], isHeld: true }
}

function keeps(rule: ObjectFields, field: string, { policies, setting }: FieldContext, refusals: Refusal[]): boolean {
  if (!isAllowed(rule.host, policies.ingresses.hosts)) {
    refusals.push(refusedHost(`${field}.host`, rule.host))
    return false
  }
  if (setting.names.multiNamespace || !namesResource(rule)) return true
  const reason = 'a backend names an object of the host that is no Service'
  refusals.push({ rule: 'ingresses', field: `${field}.http`, reason, remedy: 'name a Service' })
  return false
}

function namesResource({ http }: ObjectFields): boolean {
  const paths = isJsonObject(http) ? checkedObjectsIn<ObjectFields>(http.paths) : undefined
  return paths?.some(({ backend }) => isJsonObject(backend) && backend.resource !== undefined) === true
}

/** A certificate applies to the remaining hosts, even if it names none and would apply to all. */
function narrowed(
  tls: readonly ObjectFields[],
  rules: readonly ObjectFields[],
  allowed: readonly string[],
): readonly ObjectFields[] {
  if (allowed.includes('*')) return tls
  const ruled = [...new Set(rules.map(({ host }) => host))]
  return tls.flatMap((each) => {
    const named: readonly unknown[] = Array.isArray(each.hosts) && each.hosts.length > 0 ? each.hosts : ruled
    const hosts = named.filter((host) => isAllowed(host, allowed))
    return hosts.length === 0 ? [] : [{ ...each, hosts }]
  })
}

/** No host means every host that no other Ingress names. */
function isAllowed(host: unknown, allowed: readonly string[]): boolean {
  if (allowed.includes('*')) return true
  return typeof host === 'string' && host !== '' && matchesName(host.toLowerCase(), allowed)
}

function refusedHost(field: string, host: unknown): Refusal {
  const name = typeof host === 'string' && host !== '' ? shown(host) : 'every host that no other Ingress names'
  return { rule: 'ingresses', field, reason: `${name} may not be asked for`, remedy: allowedWith('ingresses.hosts') }
}
