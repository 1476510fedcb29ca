import { UsageError } from '../../../base/usage-error.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { serveCommand } from '../serve/serve-command.ts'
import { serveArguments } from './manifests/serve-arguments.ts'
import type { PlatformSettings } from './settings.ts'

/** Throws if further options of `tenant platform serve` are unknown, or are set by the installation itself. */
export function checkServeOptions(settings: PlatformSettings, terminal: Terminal): void {
  const known = serveCommand(terminal).options.flatMap(({ long }) => long ?? [])
  const own = new Set([...serveArguments({ ...settings, serveOptions: [] }).map(nameOf), ...otherOptions])
  const problems = settings.serveOptions.flatMap((option) => {
    const name = nameOf(option)
    if (own.has(name)) return [`${name} is set by the installation itself`]
    return known.includes(name) ? [] : [`there is no option ${name} of tenant platform serve; write --name=value`]
  })
  if (problems.length > 0) throw new UsageError(problems.map((each) => `--serve-option: ${each}`).join('\n'))
}

/** Options that other settings would set. */
const otherOptions = ['--tls-cert', '--tls-key', '--tls-ca', '--tls-ca-key', '--tls-name', '--encryption-keys']

function nameOf(option: string): string {
  return option.split('=')[0] ?? ''
}
