import { shown } from '../../api/tenant-config/wording.ts'
import type { ServiceSpec } from '../../api/types/core-v1.ts'
import { asTexts } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { isAmong } from './addresses.ts'
import type { FieldContext, FieldRule, JudgedFields, Refusal } from './contract.ts'
import { externalNameCheck } from './external-names.ts'
import { allowedWith } from './remedy.ts'

interface JudgedSpec {
  readonly spec: ServiceSpec
  readonly refusals: readonly Refusal[]
}

type SpecRule = (spec: ServiceSpec, context: FieldContext) => JudgedSpec

/** Each rule checks the result of the previous one. */
const specRules: readonly SpecRule[] = [nodePorts, loadBalancers, externalIPs, loadBalancerIP, loadBalancerClass]

/** Checks fields that open a Service to the outside, or lead elsewhere. */
export const serviceRule: FieldRule = (fields, context) => {
  if (!isJsonObject(fields.spec)) return { fields, refusals: [] }
  const { externalName: _, ...others } = fields.spec
  if (fields.spec.type === 'ExternalName') return externalName(fields, fields.spec, context)
  let spec: ServiceSpec = others
  const refusals: Refusal[] = []
  for (const rule of specRules) {
    const judged = rule(spec, context)
    spec = judged.spec
    refusals.push(...judged.refusals)
  }
  return { fields: { ...fields, spec: isOpen(spec) ? spec : closed(spec) }, refusals }
}

function externalName(fields: JudgedFields['fields'], spec: ServiceSpec, context: FieldContext): JudgedFields {
  const { policies, hostClusterDomain } = context
  const { externalIPs: _, ...rest } = spec
  const why = externalNameCheck(policies.externalNames.allowed, hostClusterDomain)(spec.externalName)
  if (why === undefined) return { fields: { ...fields, spec: rest }, refusals: externalIPs(spec, context).refusals }
  const remedy = allowedWith('externalNames.allowed')
  return {
    fields,
    refusals: [{ rule: 'externalNames', field: 'spec.externalName', reason: why, remedy }],
    isHeld: true,
  }
}

function nodePorts(spec: ServiceSpec, { policies }: FieldContext): JudgedSpec {
  if (spec.type !== 'NodePort' || policies.nodePorts.enabled) return { spec, refusals: [] }
  const reason = 'ports of nodes are not given to tenants, so the copy is of type ClusterIP'
  return demoted(spec, { rule: 'nodePorts', reason, remedy: allowedWith('nodePorts.enabled') })
}

/** Without its annotations, it may be open to more clients than its owner intended. */
function loadBalancers(spec: ServiceSpec, { policies, lacksInstruction }: FieldContext): JudgedSpec {
  if (spec.type !== 'LoadBalancer') return { spec, refusals: [] }
  if (!policies.loadBalancers.enabled) {
    const reason = 'load balancers are not given to tenants, so the copy is of type ClusterIP'
    return demoted(spec, { rule: 'loadBalancers', reason, remedy: allowedWith('loadBalancers.enabled') })
  }
  if (!lacksInstruction) return { spec, refusals: [] }
  const reason =
    'an annotation that load balancers act on is not synced, and without it this load balancer may be more public than intended, so the copy is of type ClusterIP'
  return demoted(spec, { rule: 'loadBalancers', reason, remedy: allowedWith('annotations.allowed') })
}

function demoted(spec: ServiceSpec, refusal: Omit<Refusal, 'field'>): JudgedSpec {
  const { loadBalancerIP: _, loadBalancerClass: __, loadBalancerSourceRanges: ___, ...others } = spec
  const { allocateLoadBalancerNodePorts: ____, ...rest } = others
  return { spec: { ...rest, type: 'ClusterIP' }, refusals: [{ ...refusal, field: 'spec.type' }] }
}

function externalIPs(spec: ServiceSpec, { policies }: FieldContext): JudgedSpec {
  const { externalIPs: claimed, ...rest } = spec
  if (claimed === undefined) return { spec, refusals: [] }
  const isAllowed = (address: string) => isAmong(address, policies.externalIPs.allowed)
  const addresses = asTexts(claimed)
  const kept = addresses.filter(isAllowed)
  const remedy = allowedWith('externalIPs.allowed')
  const refusals = addresses.flatMap((each, index): readonly Refusal[] => {
    if (isAllowed(each)) return []
    const reason = `${shown(each)} may not be claimed`
    return [{ rule: 'externalIPs', field: `spec.externalIPs[${index}]`, reason, remedy }]
  })
  return { spec: kept.length === 0 ? rest : { ...rest, externalIPs: kept }, refusals }
}

function loadBalancerIP(spec: ServiceSpec, { policies }: FieldContext): JudgedSpec {
  const { loadBalancerIP: asked, ...rest } = spec
  if (!asked || isAmong(asked, policies.loadBalancerIP.allowed)) return { spec, refusals: [] }
  const reason = `${shown(String(asked))} may not be asked for`
  const remedy = allowedWith('loadBalancerIP.allowed')
  return { spec: rest, refusals: [{ rule: 'loadBalancerIP', field: 'spec.loadBalancerIP', reason, remedy }] }
}

function loadBalancerClass(spec: ServiceSpec, { policies }: FieldContext): JudgedSpec {
  const { loadBalancerClass: asked, ...rest } = spec
  if (!asked || policies.loadBalancers.classes.includes(asked)) return { spec, refusals: [] }
  const reason = `the class ${shown(String(asked))} may not be asked for`
  const remedy = allowedWith('loadBalancers.classes')
  return { spec: rest, refusals: [{ rule: 'loadBalancers', field: 'spec.loadBalancerClass', reason, remedy }] }
}

/** The tenant's own server may return anything. */
function isOpen({ type, externalIPs: claimed }: ServiceSpec): boolean {
  return type === 'LoadBalancer' || type === 'NodePort' || claimed !== undefined
}

/** A Service without external traffic must not have a policy for it. */
function closed({ externalTrafficPolicy: _, ...rest }: ServiceSpec): ServiceSpec {
  return rest
}
