import { UsageError } from '../../base/usage-error.ts'
import { findPlatform } from './changes.ts'
import type { KnownPlatform, StoredLogins } from './contract.ts'

/** The named platform, or the current one. */
export function selectPlatform(credentials: StoredLogins, wanted: string | undefined): KnownPlatform {
  const { current, platforms } = credentials
  const found = findPlatform(credentials, wanted ?? current ?? '')
  if (found !== undefined) return found
  const names = platforms.map(({ name }) => name).join(', ')
  if (platforms.length === 0) {
    throw new Error('you are not logged in to any platform; run: tenant platform login URL')
  }
  if (wanted !== undefined) throw new UsageError(`you are not logged in to ${wanted}; known platforms: ${names}`)
  throw new UsageError(`there is no current platform; choose one with --platform or tenant platform use: ${names}`)
}
