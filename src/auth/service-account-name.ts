import { authenticatedGroup } from './static-tokens.ts'

const prefix = 'system:serviceaccount:'

export interface ServiceAccountName {
  readonly namespace: string
  readonly name: string
}

export function serviceAccountUserName(namespace: string, name: string): string {
  return `${prefix}${namespace}:${name}`
}

/** Undefined for the name of anybody else. */
export function parseServiceAccountUserName(userName: string): ServiceAccountName | undefined {
  if (!userName.startsWith(prefix)) return undefined
  const parts = userName.slice(prefix.length).split(':')
  const [namespace, name] = parts
  if (parts.length !== 2 || namespace === undefined || name === undefined) return undefined
  return isLabel(namespace) && isSubdomain(name) ? { namespace, name } : undefined
}

/** Without the group of everyone authenticated. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}

export function authenticatedServiceAccountGroups(namespace: string): readonly string[] {
  return [...serviceAccountGroups(namespace), authenticatedGroup]
}

function isLabel(text: string): boolean {
  return text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text)
}

function isSubdomain(text: string): boolean {
  return text.length <= 253 && text.split('.').every((part) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(part))
}
