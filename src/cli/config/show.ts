import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import { toYaml } from '../../base/json/to-yaml.ts'
import { ReportedFailure } from '../reported-failure.ts'
import type { Terminal } from '../terminal.ts'
import { checkConfig } from './check-config.ts'
import type { ShowFlags } from './flags.ts'
import { readText } from './read-text.ts'
import { tellProblems } from './tell-problems.ts'

export async function show(flags: ShowFlags, terminal: Terminal): Promise<void> {
  const { text, name } = await readText(flags.file, terminal)
  const checked = checkConfig(text, name)
  tellProblems(checked, terminal)
  if (checked.config === undefined) throw new ReportedFailure(`${name} is not valid`)
  const effective = effectiveConfig(checked.config)
  terminal.stdout.write(flags.output === 'json' ? `${JSON.stringify(effective, null, 2)}\n` : toYaml(effective))
}
