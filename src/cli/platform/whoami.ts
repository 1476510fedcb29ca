import { isRefusal } from '../../api/error.ts'
import { formatMoment } from '../../api/human/age.ts'
import { systemClock } from '../../base/clock.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { OutputFormat } from '../output/format.ts'
import { printData } from '../output/print-object.ts'
import { textTable } from '../output/text-table.ts'
import { visible } from '../output/visible.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { scopeWords } from './scope-words.ts'
import { askSelf, type Self } from './self.ts'
import { onPlatform, type Session, type SessionFlags } from './session.ts'

export interface WhoamiOptions extends SessionFlags {
  readonly output: OutputFormat
}

/** `unknown`: the key may not look at itself. */
type End = { readonly expiresAt?: string } | 'unknown'

export function whoami(options: WhoamiOptions, terminal: Terminal): Promise<void> {
  return onPlatform(options, terminal, async (session) => {
    const self = await askSelf(session.client, session.platform.domain)
    if (options.output === 'name') return void terminal.stdout.write(`${visible(self.username)}\n`)
    const end = self.key === undefined ? 'unknown' : await endOf(self.key.name, session)
    if (options.output === 'json' || options.output === 'yaml') {
      return printData(terminal, options.output, asData(self, end, session))
    }
    terminal.stdout.write(textTable(asRows(self, end, session)))
  })
}

async function endOf(name: string, { client, path }: Session): Promise<End> {
  try {
    const { status } = await client.ask({ path: `${path}/ownedaccesskeys/${encodeURIComponent(name)}` })
    return isJsonObject(status) && typeof status.expiresAt === 'string' ? { expiresAt: status.expiresAt } : {}
  } catch (error) {
    if (isRefusal(error, 403, 404)) return 'unknown'
    throw error
  }
}

function asData({ username, groups, teams, key }: Self, end: End, { platform: { name, url, domain } }: Session) {
  return {
    platform: { name, url, domain },
    user: { name: username, groups, teams },
    ...(key === undefined ? {} : { key: { ...key, ...(end === 'unknown' ? {} : end) } }),
  }
}

function asRows({ username, groups, teams, key }: Self, end: End, { platform: { name, url } }: Session) {
  const rows = [
    ['Platform', `${name} (${url})`],
    ['User', username],
    ...(teams.length === 0 ? [] : [['Teams', teams.join(', ')]]),
    ['Groups', groups.join(', ')],
  ]
  if (key === undefined) return [...rows, ['Key', 'not an access key']]
  return [...rows, ['Key', `${key.name} (${key.keyId})`], ...scopeRows(key.scope), ['Expires', endWords(end)]]
}

function scopeRows(scope: NonNullable<Self['key']>['scope']): readonly (readonly string[])[] {
  const [first = 'all that its owner may do', ...more] = scopeWords(scope)
  return [['Scope', first], ...more.map((words) => ['', words])]
}

function endWords(end: End): string {
  if (end === 'unknown') return 'unknown: the key may not look at itself'
  const { expiresAt } = end
  return expiresAt === undefined ? 'never' : `${formatMoment(expiresAt, systemClock.now())} (${expiresAt})`
}
