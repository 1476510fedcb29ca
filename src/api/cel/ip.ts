import { firstTraversed, firstTraversedTwice, traversalCost } from '../../cel/cost/call-costs.ts'
import { type EstimateCall, exactly, scaled, sum, traversalFactor } from '../../cel/cost/range.ts'
import { firstArg, traversal } from '../../cel/cost/standard-estimates.ts'
import { type CelLibrary, type CelOverload, globalOverload, memberOverload } from '../../cel/environment.ts'
import { boolType, intType, opaqueType, stringType } from '../../cel/type.ts'
import {
  type CelFailure,
  type CelOpaque,
  type CelResult,
  type CelValue,
  failure,
  noSuchOverload,
  valueSize,
} from '../../cel/value.ts'
import {
  addressUse,
  type IpAddress,
  type IpPrefix,
  isGlobalUnicast,
  isMappedIpv4,
  maskedPrefix,
  parseIpAddress,
  parseIpPrefix,
  prefixContains,
  printIpAddress,
} from './ip-address.ts'
import { addressProblem, prefixProblem, shownText } from './ip-problem.ts'

const ipType = opaqueType('net.IP')
const cidrType = opaqueType('net.CIDR')

interface IpValue extends CelOpaque {
  readonly address: IpAddress
}

interface CidrValue extends CelOpaque {
  readonly prefix: IpPrefix
}

function isIpValue(value: CelValue | undefined): value is IpValue {
  return typeof value === 'object' && value?.kind === 'opaque' && value.typeName === ipType.name
}

function isCidrValue(value: CelValue | undefined): value is CidrValue {
  return typeof value === 'object' && value?.kind === 'opaque' && value.typeName === cidrType.name
}

function ipValue(address: IpAddress): IpValue {
  return {
    kind: 'opaque',
    typeName: ipType.name,
    size: address.family === 4 ? 4 : 16,
    address,
    equals: (other) => isIpValue(other) && isSameAddress(other.address, address),
  }
}

function isSameAddress(left: IpAddress, right: IpAddress): boolean {
  return left.family === right.family && left.value === right.value
}

function cidrValue(prefix: IpPrefix): CidrValue {
  const { address, bits } = prefix
  return {
    kind: 'opaque',
    typeName: cidrType.name,
    size: Math.ceil(bits / 8),
    prefix,
    equals: (other) => isCidrValue(other) && other.prefix.bits === bits && isSameAddress(other.prefix.address, address),
  }
}

function parsedIp(text: CelValue | undefined): IpValue | CelFailure {
  if (typeof text !== 'string') return noSuchOverload
  const address = parseIpAddress(text)
  if (address === undefined) {
    const told = `IP Address ${shownText(text)} parse error during conversion from string`
    return failure(`${told}: ${addressProblem(text)}`)
  }
  if (isMappedIpv4(address)) return failure(`IPv4-mapped IPv6 address ${shownText(text)} is not allowed`)
  return ipValue(address)
}

function parsedCidr(text: CelValue | undefined): CidrValue | CelFailure {
  if (typeof text !== 'string') return noSuchOverload
  const prefix = parseIpPrefix(text)
  if (prefix === undefined) {
    const told = 'network address parse error during conversion from string'
    return failure(`${told}: ${told}: ${prefixProblem(text)}`)
  }
  if (isMappedIpv4(prefix.address)) {
    return failure(
      `network address parse error during conversion from string: IPv4-mapped IPv6 address ${shownText(text)} is not allowed`,
    )
  }
  return cidrValue(prefix)
}

function isCanonical([text]: readonly CelValue[]): CelResult {
  const parsed = parsedIp(text)
  return parsed.kind === 'failure' ? parsed : printIpAddress(parsed.address) === text
}

function printPrefix({ address, bits }: IpPrefix): string {
  return `${printIpAddress(address)}/${bits}`
}

function ofIp(id: string, call: (address: IpAddress) => boolean): CelOverload {
  return memberOverload(id, [ipType], boolType, ([value]) => (isIpValue(value) ? call(value.address) : noSuchOverload))
}

function containsIp([cidr, other]: readonly CelValue[]): CelResult {
  if (!isCidrValue(cidr)) return noSuchOverload
  const ip = isIpValue(other) ? other : parsedIp(other)
  return ip.kind === 'failure' ? ip : prefixContains(cidr.prefix, ip.address)
}

function containsCidr([cidr, other]: readonly CelValue[]): CelResult {
  if (!isCidrValue(cidr)) return noSuchOverload
  const inner = isCidrValue(other) ? other : parsedCidr(other)
  if (inner.kind === 'failure') return inner
  return cidr.prefix.bits <= inner.prefix.bits && prefixContains(cidr.prefix, inner.prefix.address)
}

const addressSize = { min: 4, max: 16 }
const comparedAddresses = scaled(sum(addressSize, addressSize), traversalFactor)
const comparedPrefixes = sum(comparedAddresses, scaled(addressSize, traversalFactor), exactly(1))

/** A text must be parsed first, which costs more. */
function containment(base: typeof comparedAddresses, isText: boolean): Pick<CelOverload, 'cost' | 'estimate'> {
  const estimate: EstimateCall = ({ args: [other], sizeOf }) => {
    if (other === undefined || !isText) return { cost: base }
    return { cost: sum(base, scaled(sizeOf(other), traversalFactor)) }
  }
  const isPrefix = base === comparedPrefixes
  return {
    estimate,
    cost: ([cidr = null, other = null]) => {
      const own = traversalCost(valueSize(cidr) * 2) + (isPrefix ? traversalCost(valueSize(cidr)) + 1 : 0)
      return own + (isText ? traversalCost(valueSize(other)) : 0)
    },
  }
}

const traversed = { cost: firstTraversed, estimate: traversal(firstArg) }

export const kubernetesIp: CelLibrary = {
  functions: [
    {
      name: 'ip',
      overloads: [
        globalOverload('string_to_ip', [stringType], ipType, ([text]) => parsedIp(text), traversed),
        memberOverload('cidr_ip', [cidrType], ipType, ([value]) =>
          isCidrValue(value) ? ipValue(value.prefix.address) : noSuchOverload,
        ),
      ],
    },
    {
      name: 'isIP',
      overloads: [
        globalOverload('is_ip', [stringType], boolType, ([text]) => parsedIp(text).kind === 'opaque', traversed),
      ],
    },
    {
      name: 'ip.isCanonical',
      overloads: [
        globalOverload('ip_is_canonical', [stringType], boolType, isCanonical, {
          cost: firstTraversedTwice,
          estimate: traversal(firstArg, 2),
        }),
      ],
    },
    {
      name: 'family',
      overloads: [
        memberOverload('ip_family', [ipType], intType, ([value]) =>
          isIpValue(value) ? BigInt(value.address.family) : noSuchOverload,
        ),
      ],
    },
    { name: 'isUnspecified', overloads: [ofIp('ip_is_unspecified', addressUse.isUnspecified)] },
    { name: 'isLoopback', overloads: [ofIp('ip_is_loopback', addressUse.isLoopback)] },
    { name: 'isLinkLocalMulticast', overloads: [ofIp('ip_is_link_local_multicast', addressUse.isLinkLocalMulticast)] },
    { name: 'isLinkLocalUnicast', overloads: [ofIp('ip_is_link_local_unicast', addressUse.isLinkLocalUnicast)] },
    { name: 'isGlobalUnicast', overloads: [ofIp('ip_is_global_unicast', isGlobalUnicast)] },
    {
      name: 'cidr',
      overloads: [globalOverload('string_to_cidr', [stringType], cidrType, ([text]) => parsedCidr(text), traversed)],
    },
    {
      name: 'isCIDR',
      overloads: [
        globalOverload('is_cidr', [stringType], boolType, ([text]) => parsedCidr(text).kind === 'opaque', traversed),
      ],
    },
    {
      name: 'containsIP',
      overloads: [
        memberOverload(
          'cidr_contains_ip_string',
          [cidrType, stringType],
          boolType,
          containsIp,
          containment(comparedAddresses, true),
        ),
        memberOverload(
          'cidr_contains_ip_ip',
          [cidrType, ipType],
          boolType,
          containsIp,
          containment(comparedAddresses, false),
        ),
      ],
    },
    {
      name: 'containsCIDR',
      overloads: [
        memberOverload(
          'cidr_contains_cidr_string',
          [cidrType, stringType],
          boolType,
          containsCidr,
          containment(comparedPrefixes, true),
        ),
        memberOverload(
          'cidr_contains_cidr',
          [cidrType, cidrType],
          boolType,
          containsCidr,
          containment(comparedPrefixes, false),
        ),
      ],
    },
    {
      name: 'prefixLength',
      overloads: [
        memberOverload('cidr_prefix_length', [cidrType], intType, ([value]) =>
          isCidrValue(value) ? BigInt(value.prefix.bits) : noSuchOverload,
        ),
      ],
    },
    {
      name: 'masked',
      overloads: [
        memberOverload('cidr_masked', [cidrType], cidrType, ([value]) =>
          isCidrValue(value) ? cidrValue(maskedPrefix(value.prefix)) : noSuchOverload,
        ),
      ],
    },
    {
      name: 'string',
      overloads: [
        globalOverload('ip_to_string', [ipType], stringType, ([value]) =>
          isIpValue(value) ? printIpAddress(value.address) : noSuchOverload,
        ),
        globalOverload('cidr_to_string', [cidrType], stringType, ([value]) =>
          isCidrValue(value) ? printPrefix(value.prefix) : noSuchOverload,
        ),
      ],
    },
  ],
  types: new Map([
    [ipType.name, ipType],
    [cidrType.name, cidrType],
  ]),
}
