import {
  allErrors,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  invalidFieldAs,
} from '../../field-error.ts'
import { quoted } from '../../human/go-syntax.ts'
import { shortened } from '../../human/shortened.ts'
import type { ContainerStatus, Pod, PodSpec, PodStatus } from '../../types/core-v1.ts'
import { type IPFamily, parseIP } from '../addresses/ip-address.ts'
import { checkIP, checkQualifiedName, checkSubdomain } from '../field-checks.ts'
import { validateAnnotationChange } from './pod-annotations.ts'
import { isSidecar } from './sidecar.ts'

const ownConditions: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized'])

/** A status report must not contain anything impossible. */
export function validatePodStatusUpdate(after: Pod, before: Pod): readonly FieldError[] {
  const { status } = after
  return allErrors(
    validateAnnotationChange(after, before),
    validateConditions(status),
    validateNominated(status, before.status),
    status.qosClass === before.status.qosClass
      ? []
      : [invalidField('status.qosClass', status.qosClass ?? '', 'field is immutable')],
    validateEnded('containerStatuses', status, before, before.spec.restartPolicy),
    validateEnded('initContainerStatuses', status, before, before.spec.restartPolicy),
    validateEnded('ephemeralContainerStatuses', status, before, 'Never'),
    validatePodIPs(status),
    validateHostIPs(status),
  )
}

/** As in Kubernetes, reported as if they were in the metadata. */
function validateConditions({ conditions = [] }: PodStatus): readonly FieldError[] {
  return conditions.flatMap(({ type }, index) =>
    ownConditions.has(type) ? [] : checkQualifiedName(`metadata.conditions[${index}].Type`, type),
  )
}

function validateNominated({ nominatedNodeName: name = '' }: PodStatus, before: PodStatus): readonly FieldError[] {
  if (name === '' || name === before.nominatedNodeName) return []
  return checkSubdomain('status.nominatedNodeName', name)
}

type StatusList = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses'

/** A container that has ended, and is not restarted, must not run again. */
function validateEnded(
  list: StatusList,
  status: PodStatus,
  { spec, status: old }: Pod,
  restartPolicy: string | undefined,
): readonly FieldError[] {
  if (restartPolicy === 'Always') return []
  const restarted = list === 'initContainerStatuses' ? sidecarsOf(spec) : new Set<string>()
  const running = new Set((status[list] ?? []).filter(({ state }) => !state.terminated).map(({ name }) => name))
  return (old[list] ?? []).flatMap((before, index) =>
    hasEnded(before, restartPolicy) && !restarted.has(before.name) && running.has(before.name)
      ? [forbiddenField(`status.${list}[${index}].state`, 'may not be transitioned to non-terminated state')]
      : [],
  )
}

function hasEnded({ state: { terminated } }: ContainerStatus, restartPolicy: string | undefined): boolean {
  return terminated !== undefined && (terminated.exitCode === 0 || restartPolicy !== 'OnFailure')
}

function sidecarsOf({ initContainers = [] }: PodSpec): ReadonlySet<string> {
  return new Set(initContainers.filter(isSidecar).map(({ name }) => name))
}

const oneOfEach = 'may specify no more than one IP for each IP family'

function validatePodIPs({ podIPs = [] }: PodStatus): readonly FieldError[] {
  const field = 'status.podIPs'
  return allErrors(
    podIPs.flatMap(({ ip }, index) => checkIP(`${field}[${index}]`, ip)),
    isOneOfEach(podIPs) ? [] : [invalidFieldAs(field, printedAddresses(podIPs), oneOfEach)],
    repeatedAddresses(field, podIPs),
  )
}

function validateHostIPs({ hostIP = '', hostIPs = [] }: PodStatus): readonly FieldError[] {
  const field = 'status.hostIPs'
  const [first] = hostIPs
  if (first === undefined) return []
  return allErrors(
    first.ip === hostIP ? [] : [invalidField(`${field}[0].ip`, first.ip, 'must be equal to `hostIP`')],
    hostIPs.flatMap(({ ip }, index) => checkIP(`${field}[${index}]`, ip)),
    repeatedAddresses(field, hostIPs),
    isOneOfEach(hostIPs) ? [] : [invalidField(field, hostIPs, oneOfEach)],
  )
}

interface Address {
  readonly ip: string
}

function isOneOfEach(addresses: readonly Address[]): boolean {
  if (addresses.length < 2) return true
  const families = new Set<IPFamily | undefined>(addresses.map(({ ip }) => parseIP(ip)?.family))
  return addresses.length === 2 && families.has('IPv4') && families.has('IPv6')
}

function repeatedAddresses(field: string, addresses: readonly Address[]): readonly FieldError[] {
  const seen = new Set<string>()
  return addresses.flatMap((address, index) => {
    const isRepeated = seen.has(address.ip)
    seen.add(address.ip)
    return isRepeated ? [duplicateField(`${field}[${index}]`, address)] : []
  })
}

/** As Go prints them. */
function printedAddresses(addresses: readonly { readonly ip: string }[]): string {
  const items = addresses.map(({ ip }) => `core.PodIP{IP:${quoted(shortened(ip))}}`)
  return shortened(`[]core.PodIP{${items.join(', ')}}`)
}
