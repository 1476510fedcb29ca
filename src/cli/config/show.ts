import { toYaml } from '../../base/json/to-yaml.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { loadConfig } from './load-config.ts'
import type { ShowOptions } from './options.ts'

export async function show({ file, output }: ShowOptions, terminal: Terminal): Promise<void> {
  const config = await loadConfig(file, terminal)
  terminal.stdout.write(output === 'json' ? `${JSON.stringify(config, null, 2)}\n` : toYaml(config))
}
