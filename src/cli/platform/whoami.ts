import { formatMoment } from '../../api/human/age.ts'
import { systemClock } from '../../base/clock.ts'
import { visible } from '../../base/unseen.ts'
import type { OutputFormat } from '../output/format.ts'
import { print } from '../output/print.ts'
import { printData } from '../output/print-object.ts'
import { textTable } from '../output/text-table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { scopeWords } from './scope-words.ts'
import { askSelf, type KeyInUse, type Self } from './self.ts'
import { onPlatform, type Session, type SessionFlags } from './session.ts'

export interface WhoamiOptions extends SessionFlags {
  readonly output: OutputFormat
}

export function whoami(options: WhoamiOptions, terminal: Terminal): Promise<void> {
  return onPlatform(options, terminal, async (session) => {
    const self = await askSelf(session.client, session.platform.domain)
    if (options.output === 'name') return void print(terminal, `${visible(self.username)}\n`)
    if (options.output === 'json' || options.output === 'yaml') {
      return printData(terminal, options.output, asData(self, session))
    }
    print(terminal, textTable(asRows(self, session)))
  })
}

function asData({ username, groups, teams, key }: Self, { platform: { name, url, domain } }: Session) {
  return {
    platform: { name, url, domain },
    user: { name: username, groups, teams },
    ...(key === undefined ? {} : { key }),
  }
}

function asRows({ username, groups, teams, key }: Self, { platform: { name, url } }: Session) {
  const rows = [
    ['Platform', `${name} (${url})`],
    ['User', username],
    ...(teams.length === 0 ? [] : [['Teams', teams.join(', ')]]),
    ['Groups', groups.join(', ')],
  ]
  if (key === undefined) return [...rows, ['Key', 'not an access key']]
  return [...rows, ['Key', `${key.name} (${key.keyId})`], ...scopeRows(key.scope), ['Expires', endWords(key)]]
}

function scopeRows(scope: KeyInUse['scope']): readonly (readonly string[])[] {
  const [first = 'all that its owner may do', ...more] = scopeWords(scope)
  return [['Scope', first], ...more.map((words) => ['', words])]
}

function endWords({ expiresAt }: KeyInUse): string {
  return expiresAt === undefined ? 'never' : `${formatMoment(expiresAt, systemClock.now())} (${expiresAt})`
}
