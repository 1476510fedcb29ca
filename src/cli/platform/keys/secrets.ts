import { accessKeyEntry, placeId, placeText } from '../../../api/managed-secret.ts'
import type { SecretPlace } from '../../../api/types/management.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import { UsageError } from '../../../base/usage-error.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import { print } from '../../output/print.ts'
import { printObject, qualifiedName } from '../../output/print-object.ts'
import { textTable } from '../../output/text-table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { onPlatform, type Session } from '../session.ts'
import { keyPath } from './key-path.ts'
import type { SecretsOptions } from './options.ts'
import { partsOf } from './shown-once.ts'

/** Shows the Secrets into which a key is written, or changes them. */
export function keySecrets(options: SecretsOptions, terminal: Terminal): Promise<void> {
  const { name, add, remove, output } = options
  return onPlatform(options, terminal, async (session) => {
    const before = await session.client.ask({ path: keyPath(session, name) })
    const isChange = add.length + remove.length > 0
    const key = isChange ? await changed(session, name, before, options) : before
    if (output === 'name') print(terminal, `${qualifiedName(key)}\n`)
    else if (output === 'json' || output === 'yaml') printObject(terminal, output, key)
    else print(terminal, textTable(rowsOf(key)))
  })
}

/** Does not overwrite a concurrent change: the platform then refuses the write. */
function changed(
  session: Session,
  name: string,
  before: JsonBody,
  { add, remove }: Pick<SecretsOptions, 'add' | 'remove'>,
): Promise<JsonBody> {
  const resourceVersion = isJsonObject(before.metadata) ? before.metadata.resourceVersion : undefined
  const managedSecrets = listWith(partsOf(before).spec.managedSecrets ?? [], add, remove)
  return session.client.ask({
    method: 'PATCH',
    path: keyPath(session, name),
    contentType: 'application/merge-patch+json',
    body: { metadata: { resourceVersion }, spec: { managedSecrets } },
  })
}

function listWith(
  before: readonly SecretPlace[],
  add: readonly SecretPlace[],
  remove: readonly SecretPlace[],
): readonly SecretPlace[] {
  const known = new Set(before.map(placeId))
  for (const place of remove) {
    if (!known.has(placeId(place)))
      throw new UsageError(
        `the key is not written into ${placeText(place)}; tenant platform keys secrets lists where it is`,
      )
  }
  const gone = new Set([...remove, ...add].map(placeId))
  return [...before.filter((place) => !gone.has(placeId(place))), ...add]
}

function rowsOf(key: JsonBody): readonly (readonly string[])[] {
  const { managedSecrets = [] } = partsOf(key).status
  const head = ['CLUSTER', 'NAMESPACE', 'NAME', 'ENTRY', 'ADDED BY', 'ADDED']
  const rows = managedSecrets.map(({ cluster = '', namespace = '', name = '', entry, addedBy = '', addedAt = '' }) => [
    ...[cluster || '-', namespace, name, entry || accessKeyEntry, addedBy, addedAt],
  ])
  return [head, ...rows]
}
