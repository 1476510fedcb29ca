import { isInRange, parseRange } from '../core/addresses/ip-range.ts'
import { checkCIDR, checkEach, checkPort, portNameProblems } from '../core/field-checks.ts'
import { type FieldError, forbiddenField, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import { validateLabelSelector } from '../selectors/label-selector-object.ts'
import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../types/networking-v1.ts'

const protocols = ['TCP', 'UDP', 'SCTP']
const policyTypes = ['Ingress', 'Egress']

export function validateNetworkPolicy({ spec }: NetworkPolicy): readonly FieldError[] {
  return [
    ...validateLabelSelector('spec.podSelector', spec.podSelector),
    ...(spec.ingress ?? []).flatMap((rule, index) =>
      validateRule(`spec.ingress[${index}]`, { ports: rule.ports ?? [], peers: rule.from ?? [], member: 'from' }),
    ),
    ...(spec.egress ?? []).flatMap((rule, index) =>
      validateRule(`spec.egress[${index}]`, { ports: rule.ports ?? [], peers: rule.to ?? [], member: 'to' }),
    ),
    ...validateTypes('spec.policyTypes', spec.policyTypes ?? []),
  ]
}

function validateTypes(field: string, types: readonly string[]): readonly FieldError[] {
  if (types.length > policyTypes.length) {
    const printed = `[]networking.PolicyType{${types.map((type) => JSON.stringify(type)).join(', ')}}`
    return [
      {
        reason: 'FieldValueInvalid',
        field,
        message: `Invalid value: ${printed}: may not specify more than two policyTypes`,
      },
    ]
  }
  return types.flatMap((type, index) =>
    policyTypes.includes(type) ? [] : [notSupportedField(`${field}[${index}]`, type, policyTypes)],
  )
}

interface Rule {
  readonly ports: readonly NetworkPolicyPort[]
  readonly peers: readonly NetworkPolicyPeer[]
  readonly member: 'from' | 'to'
}

function validateRule(field: string, { ports, peers, member }: Rule): readonly FieldError[] {
  return [
    ...ports.flatMap((port, index) => validatePort(`${field}.ports[${index}]`, port)),
    ...peers.flatMap((peer, index) => validatePeer(`${field}.${member}[${index}]`, peer)),
  ]
}

function validatePort(field: string, { port, endPort, protocol = '' }: NetworkPolicyPort): readonly FieldError[] {
  return [
    ...(protocols.includes(protocol) ? [] : [notSupportedField(`${field}.protocol`, protocol, protocols)]),
    ...(typeof port === 'number' ? checkPort(`${field}.port`, port) : []),
    ...(endPort === undefined ? [] : validateEndPort(`${field}.endPort`, endPort, port)),
    ...(typeof port === 'string' ? checkEach(`${field}.port`, port, portNameProblems(port)) : []),
  ]
}

function validateEndPort(field: string, endPort: number, port: number | string | undefined): readonly FieldError[] {
  if (port === undefined) return [invalidField(field, endPort, 'may not be specified when `port` is not specified')]
  if (typeof port === 'string') return [invalidField(field, endPort, 'may not be specified when `port` is non-numeric')]
  return [
    ...(endPort < port ? [invalidField(field, port, 'must be greater than or equal to `port`')] : []),
    ...checkPort(field, endPort),
  ]
}

function validatePeer(field: string, peer: NetworkPolicyPeer): readonly FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer
  const count = [podSelector, namespaceSelector, ipBlock].filter((each) => each !== undefined).length
  return [
    ...(podSelector === undefined ? [] : validateLabelSelector(`${field}.podSelector`, podSelector)),
    ...(namespaceSelector === undefined ? [] : validateLabelSelector(`${field}.namespaceSelector`, namespaceSelector)),
    ...(ipBlock === undefined ? [] : validateBlock(`${field}.ipBlock`, ipBlock)),
    ...(count === 0 ? [requiredField(field, 'must specify a peer')] : []),
    ...(ipBlock !== undefined && count > 1
      ? [forbiddenField(field, 'may not specify both ipBlock and another peer')]
      : []),
  ]
}

function validateBlock(field: string, { cidr, except = [] }: IPBlock): readonly FieldError[] {
  if (cidr === '') return [requiredField(`${field}.cidr`)]
  const errors = checkCIDR(`${field}.cidr`, cidr)
  if (errors.length > 0) return errors
  return except.flatMap((each, index) => validateException(`${field}.except[${index}]`, each, cidr))
}

function validateException(field: string, exception: string, cidr: string): readonly FieldError[] {
  const [all, part] = [parseRange(cidr), parseRange(exception)]
  if (all === undefined || part === undefined) return checkCIDR(field, exception)
  return part.bits > all.bits && isInRange(part.first, all)
    ? []
    : [invalidField(field, exception, 'must be a strict subset of `cidr`')]
}
