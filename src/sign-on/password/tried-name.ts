import { hash } from 'node:crypto'
import { alikeName } from './alike-names.ts'

/**
 * Identifies the name that was typed: spellings that a directory may treat as the same name count as one. A digest,
 * since names are remembered by the thousands: a stranger's may have 5,000 characters once they are all of one form.
 */
export function triedName(connector: string, username: string): string {
  return hash('sha256', JSON.stringify([connector, alikeName(username)]), 'base64url')
}
