import { changeCredentials, readCredentials } from '../credentials/file.ts'
import { selectPlatform } from '../credentials/select.ts'
import type { OutputFormat } from '../output/format.ts'
import { say } from '../output/messages.ts'
import { print } from '../output/print.ts'
import { printData } from '../output/print-object.ts'
import { textTable } from '../output/text-table.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Lists the platforms that the user is logged in to, without the keys. */
export async function listPlatforms({ output }: { readonly output: OutputFormat }, terminal: Terminal): Promise<void> {
  const { current, platforms } = await readCredentials(terminal)
  const shown = platforms.map(({ name, url, domain, trust }) => ({
    name,
    url,
    domain,
    trust: trust.mode,
    current: name === current,
  }))
  if (output === 'json' || output === 'yaml') return printData(terminal, output, shown)
  if (output === 'name') return void print(terminal, shown.map(({ name }) => `${name}\n`).join(''))
  if (shown.length === 0) return say(terminal, 'You are not logged in to any platform.')
  const rows = shown.map((each) => [each.current ? '*' : '', each.name, each.url, each.domain, each.trust])
  print(terminal, textTable([['CURRENT', 'NAME', 'URL', 'DOMAIN', 'TRUST'], ...rows]))
}

export async function usePlatform(name: string, terminal: Terminal): Promise<void> {
  const credentials = await changeCredentials(terminal, (before) => {
    selectPlatform(before, name)
    return { ...before, current: name }
  })
  say(terminal, `The current platform is ${name} (${selectPlatform(credentials, name).url}).`)
}
