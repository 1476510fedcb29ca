import type { BackupHeader } from '../../backup/envelope/header.ts'
import { errorText } from '../../base/error-text.ts'
import { asObjects } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { instanceIn } from '../../cluster/restore/any-instance.ts'
import { type KnownRevocations, keyIn } from '../../cluster/restore/revocations.ts'
import { readCredentials } from '../credentials/file.ts'
import { say } from '../output/messages.ts'
import { listPages } from '../platform/pages.ts'
import { onPlatform, type Session, type SessionFlags } from '../platform/session.ts'
import type { Terminal } from '../terminal/terminal.ts'

/**
 * Asks the platform that the user is logged in to, if it is the backup's platform and still answers. Keys that it does
 * not show count as revoked: a user who may not see all keys restores none that was revoked.
 */
export async function revocationsOfPlatform(
  header: BackupHeader,
  flags: SessionFlags,
  terminal: Terminal,
): Promise<KnownRevocations> {
  if (header.source.type === 'virtualCluster') return { known: 'nothing' }
  const { current } = await readCredentials(terminal)
  if (current === undefined && flags.platform === undefined) return { known: 'nothing' }
  try {
    return await onPlatform(flags, terminal, (session) => askedOf(session, header, terminal))
  } catch (error) {
    if (flags.platform !== undefined) throw error
    say(terminal, `The platform cannot be asked for revocations: ${errorText(error)}`)
    return { known: 'nothing' }
  }
}

async function askedOf(session: Session, { source }: BackupHeader, terminal: Terminal): Promise<KnownRevocations> {
  const { metadata } = await session.client.ask({ path: '/api/v1/namespaces/kube-system' })
  const uid = isJsonObject(metadata) ? metadata.uid : undefined
  if (uid !== source.uid) {
    say(terminal, `${session.platform.url} is another platform, and is not asked for revocations.`)
    return { known: 'nothing' }
  }
  const pages = await listPages(session)
  const keys = pages.flatMap((page) => asObjects(page.items)).map(keyIn)
  const instancePages = await listPages(session, undefined, 'virtualclusterinstances')
  const instances = instancePages.flatMap((page) => asObjects(page.items)).map(instanceIn)
  say(terminal, `${session.platform.url} was asked which access keys and proofs are still good.`)
  return {
    known: 'platform',
    keys: new Map(keys.map((key) => [key.uid, key])),
    instances: new Map(instances.map((instance) => [instance.uid, instance])),
  }
}
