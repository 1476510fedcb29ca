import { toYaml } from '../../base/json/to-yaml.ts'
import type { Terminal } from '../terminal.ts'
import type { ShowFlags } from './flags.ts'
import { loadConfig } from './load-config.ts'

export async function show({ file, output }: ShowFlags, terminal: Terminal): Promise<void> {
  const config = await loadConfig(file, terminal)
  terminal.stdout.write(output === 'json' ? `${JSON.stringify(config, null, 2)}\n` : toYaml(config))
}
