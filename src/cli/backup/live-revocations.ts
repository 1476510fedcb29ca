import type { BackupHeader } from '../../backup/envelope/header.ts'
import { errorText } from '../../base/error-text.ts'
import { asObjects } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { type AnyInstance, instanceIn } from '../../cluster/restore/any-instance.ts'
import { type AnyKey, type KnownRevocations, keyIn } from '../../cluster/restore/revocations.ts'
import { readCredentials } from '../credentials/file.ts'
import { say } from '../output/messages.ts'
import { maxPassingBytes } from '../platform/limits.ts'
import { eachPage } from '../platform/pages.ts'
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
    return await onPlatform(flags, terminal, (session) => askedOf(session, header, terminal), {
      maxAllBytes: maxPassingBytes,
    })
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
  const keys = new Map<string, AnyKey>()
  for await (const key of objectsOf(session, 'ownedaccesskeys')) {
    const known = keyIn(key)
    keys.set(known.uid, known)
  }
  const instances = new Map<string, AnyInstance>()
  for await (const each of objectsOf(session, 'virtualclusterinstances')) {
    const instance = instanceIn(each)
    instances.set(instance.uid, instance)
  }
  say(terminal, `${session.platform.url} was asked which access keys and proofs are still good.`)
  return { known: 'platform', keys, instances }
}

/** One page is in memory at a time, however many keys and virtual clusters a platform has. */
async function* objectsOf(session: Session, collection: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for await (const page of eachPage(session, 'application/json', collection)) yield* asObjects(page.items)
}
