import { hash } from 'node:crypto'
import type { Random } from '../../../base/random.ts'
import type { KeyHash } from '../contract.ts'

/** Refresh tokens are recognizable, and belong to a family: all tokens from one sign-in to an application. */
const refreshPrefix = 'tpo_'
const form = /^tpo_([\w-]{22})_([\w-]{43})$/
const sidLength = 20

export function mintFamily(random: Random): string {
  return Buffer.from(random.bytes(16)).toString('base64url')
}

export function mintRefresh(family: string, random: Random): string {
  return `${refreshPrefix}${family}_${Buffer.from(random.bytes(32)).toString('base64url')}`
}

/** Undefined if it is not a refresh token. */
export function refreshFamilyOf(token: string): string | undefined {
  return form.exec(token)?.[1]
}

/** The public name of a family: knowing it allows neither forging one of its tokens nor ending it. */
export function sidOf(family: string): string {
  return hash('sha256', `oidc family\0${family}`, 'hex').slice(0, sidLength)
}

/** No bearer token and no session has this hash. */
export function hashRefresh(token: string): KeyHash {
  return hash('sha256', `oidc refresh\0${token}`, 'base64url')
}
