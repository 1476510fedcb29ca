import { hash } from 'node:crypto'

/** An object of a tenant that gets a distinct name in a shared namespace. */
export interface TenantObject {
  readonly hostNamespace: string
  readonly tenant: string
  /** Empty for objects outside namespaces. */
  readonly namespace: string
  readonly name: string
}

const maxReadable = 47
const hashLength = 13
const hashForm = /^[0-9a-z]{13}$/
const hashBytes = 16
const hashValues = 36n ** BigInt(hashLength)

/**
 * The name on the host: `v-`, the readable part of the name, and a hash of all four parts. A DNS label of at most 63
 * characters that starts with a letter. Two objects share a name only if 67 bits of their SHA-256 are equal.
 */
export function hostName({ hostNamespace, tenant, namespace, name }: TenantObject): string {
  // A JSON list keeps the parts unambiguous.
  const identity = JSON.stringify([hostNamespace, tenant, namespace, name])
  return markedName(name, identity)
}

/** The same for anything else that has an identity. */
export function markedName(name: string, identity: string): string {
  return `v-${readable(name)}-${nameHash(identity)}`
}

/** Whether `markedName` could have returned the name for this readable part. */
export function isMarkedName(name: string, readablePart: string): boolean {
  const prefix = `v-${readablePart}-`
  return name.startsWith(prefix) && hashForm.test(name.slice(prefix.length))
}

const containedName = /(?:^|[^a-z0-9-])v-[a-z0-9-]{0,47}-[0-9a-z]{13}(?![a-z0-9-])/

/** Whether a text could name an object on the host, of any tenant: all parts of a name may be known to others. */
export function mayNameCopy(text: string): boolean {
  return containedName.test(text)
}

/** Cut first, so that a long name costs no more than a short one. */
function readable(name: string): string {
  return name.slice(0, maxReadable).replace(/[^a-z0-9-]/g, '-')
}

/** 67 bits of SHA-256, in a form for names. */
export function nameHash(text: string): string {
  const digest = hash('sha256', text, 'hex')
  const value = BigInt(`0x${digest.slice(0, hashBytes * 2)}`) % hashValues
  return value.toString(36).padStart(hashLength, '0')
}
