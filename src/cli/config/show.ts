import { jsonText } from '../../base/json/json-text.ts'
import { toYaml } from '../../base/json/to-yaml.ts'
import { print } from '../output/print.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { loadConfig } from './load-config.ts'
import type { ConfigShowOptions } from './options.ts'

export async function show({ file, output }: ConfigShowOptions, terminal: Terminal): Promise<void> {
  const config = await loadConfig(file, terminal)
  print(terminal, output === 'json' ? jsonText(config) : toYaml(config))
}
