import { validateLabel, validateSubdomain } from '../api/names.ts'
import { authenticatedGroup } from './static-tokens.ts'

const prefix = 'system:serviceaccount:'

export interface ServiceAccountName {
  readonly namespace: string
  readonly name: string
}

export function serviceAccountUserName(namespace: string, name: string): string {
  return `${prefix}${namespace}:${name}`
}

/** Undefined if it is not the name of a service account. */
export function parseServiceAccountUserName(userName: string): ServiceAccountName | undefined {
  if (!userName.startsWith(prefix)) return undefined
  const parts = userName.slice(prefix.length).split(':')
  const [namespace, name] = parts
  if (parts.length !== 2 || namespace === undefined || name === undefined) return undefined
  const isValid = validateLabel(namespace).length === 0 && validateSubdomain(name).length === 0
  return isValid ? { namespace, name } : undefined
}

/** Without the group of all authenticated users. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}

export function authenticatedServiceAccountGroups(namespace: string): readonly string[] {
  return [...serviceAccountGroups(namespace), authenticatedGroup]
}
