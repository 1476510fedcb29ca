import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../../base/files/write-whole.ts'
import { UsageError } from '../../../base/usage-error.ts'

export const embeddedHostId = 'embedded'

/** A data directory holds virtual clusters of one host. On another host they would be created a second time. */
export function requireSameHost(directory: string, hostId: string): void {
  const file = join(directory, 'host-cluster')
  const before = existsSync(file) ? readFileSync(file, 'utf8').trim() : unmarked(directory, hostId)
  if (before !== hostId) {
    throw new UsageError(
      `${directory} holds virtual clusters of ${shown(before)}, and not of ${shown(hostId)}: choose another --data-dir, or the host that it had`,
    )
  }
  writeWhole(file, `${hostId}\n`)
}

/** A data directory with an embedded host may predate the mark. */
function unmarked(directory: string, hostId: string): string {
  return existsSync(join(directory, 'host')) ? embeddedHostId : hostId
}

function shown(hostId: string): string {
  return hostId === embeddedHostId ? 'the embedded host' : `the ${hostId}`
}
