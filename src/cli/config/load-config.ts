import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import { ownConfig } from '../../api/tenant-config/parse.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { checkConfig } from '../../patches/config/check-config.ts'
import { ReportedFailure } from '../reported-failure.ts'
import { readInputText } from '../terminal/read-text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { printProblems } from './print-problems.ts'

export interface LoadedConfig {
  /** The original text. */
  readonly text: string
  readonly config: EffectiveConfig
}

/** Loads a valid tenant.yaml, including patches; otherwise reports everything that is wrong. */
export async function loadConfigFile(file: string, terminal: Terminal): Promise<LoadedConfig> {
  const { text, name } = await readInputText(file, terminal)
  const checked = checkConfig(text, name, ownConfig)
  printProblems(checked, terminal)
  if (checked.config === undefined) throw new ReportedFailure(`${name} is not valid`)
  return { text, config: effectiveConfig(checked.config) }
}

export async function loadConfig(file: string, terminal: Terminal): Promise<EffectiveConfig> {
  return (await loadConfigFile(file, terminal)).config
}
