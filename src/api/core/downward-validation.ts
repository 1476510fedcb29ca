import { allErrors, type FieldError, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import { nanosOf, printQuantity, quantityOf } from '../quantity.ts'
import type { ObjectFieldSelector, ResourceFieldSelector } from '../types/core-v1.ts'
import { checkQualifiedName } from './field-checks.ts'

/** What a container can learn about its own Pod. */

const known: ReadonlySet<string> = new Set([
  ...['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'],
  ...['spec.nodeName', 'spec.restartPolicy', 'spec.serviceAccountName', 'spec.schedulerName', 'status.phase'],
  ...['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
])

/** Former names of fields. */
const former: Readonly<Record<string, string>> = { 'spec.host': 'spec.nodeName' }

/** `usable` are the paths that are allowed here. */
export function checkFieldReference(
  field: string,
  { apiVersion = '', fieldPath }: ObjectFieldSelector,
  usable: readonly string[],
): readonly FieldError[] {
  if (apiVersion === '') return [requiredField(`${field}.apiVersion`)]
  const path = `${field}.fieldPath`
  if (fieldPath === '') return [requiredField(path)]
  const unknown = (problem: string) => [invalidField(path, fieldPath, `error converting fieldPath: ${problem}`)]
  if (apiVersion !== 'v1') return unknown(`unsupported pod version: ${apiVersion}`)
  const member = memberOf(fieldPath)
  if (member !== undefined) {
    return member.of === 'metadata.annotations' || member.of === 'metadata.labels'
      ? checkQualifiedName(field, member.of === 'metadata.labels' ? member.key : member.key.toLowerCase())
      : unknown(`field label does not support subscript: ${fieldPath}`)
  }
  const now = former[fieldPath] ?? fieldPath
  if (!known.has(now)) return unknown(`field label not supported: ${fieldPath}`)
  return usable.includes(now) ? [] : [notSupportedField(path, now, usable)]
}

/** One entry of a map, such as `metadata.labels['app']`. */
function memberOf(fieldPath: string): { readonly of: string; readonly key: string } | undefined {
  const at = fieldPath.indexOf("['")
  if (at < 1 || !fieldPath.endsWith("']") || at + 2 > fieldPath.length - 2) return undefined
  return { of: fieldPath.slice(0, at), key: fieldPath.slice(at + 2, -2) }
}

const amounts = [
  ...['limits.cpu', 'limits.ephemeral-storage', 'limits.memory'],
  ...['requests.cpu', 'requests.ephemeral-storage', 'requests.memory'],
]

const sizes = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei']

/** `lacksContainer`: the container must be named but is not. */
export function checkResourceReference(
  field: string,
  { resource, divisor }: ResourceFieldSelector,
  lacksContainer: boolean,
): readonly FieldError[] {
  return allErrors(checkResource(field, resource, lacksContainer), checkDivisor(`${field}.divisor`, resource, divisor))
}

function checkResource(field: string, resource: string, lacksContainer: boolean): readonly FieldError[] {
  if (lacksContainer) return [requiredField(`${field}.containerName`)]
  if (resource === '') return [requiredField(`${field}.resource`)]
  if (amounts.includes(resource) || isOfHugePages(resource)) return []
  return [notSupportedField(`${field}.resource`, resource, amounts)]
}

function checkDivisor(field: string, resource: string, divisor: string | number): readonly FieldError[] {
  if (nanosOf(divisor) === 0n) return []
  const written = printQuantity(quantityOf(divisor))
  if (resource.endsWith('s.cpu') && amounts.includes(resource)) {
    const problem = "only divisor's values 1m and 1 are supported with the cpu resource"
    return written === '1m' || written === '1' ? [] : [invalidField(field, resource, problem)]
  }
  const told = sizedAs(resource)
  if (told === undefined || sizes.includes(written)) return []
  return [
    invalidField(field, resource, `only divisor's values ${sizes.join(', ')} are supported with the ${told} resource`),
  ]
}

/** How messages describe an amount of bytes. */
function sizedAs(resource: string): string | undefined {
  if (isOfHugePages(resource)) return 'hugepages'
  if (!amounts.includes(resource)) return undefined
  return resource.endsWith('.memory') ? 'memory' : 'local ephemeral storage'
}

function isOfHugePages(resource: string): boolean {
  return resource.startsWith('requests.hugepages-') || resource.startsWith('limits.hugepages-')
}
